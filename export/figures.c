// SPDX-License-Identifier: GPL-2.0-only
/* Numbers as people read them. */
#include "export/figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "metrics/by_function.h"

static const char unknown[] = "—";

/* Half of the interval of error; NaN where there is none, or nothing to say of it. */
static double half_width(const struct metric_result *r)
{
	return r->method == METHOD_EXACT || isnan(r->value) ? NAN : (r->hi - r->lo) / 2;
}

/* Samples that are too few to say anything. */
static bool is_too_few(const struct metric_result *r, struct figure *ret)
{
	if (r->method != METHOD_SAMPLES || by_function_shown(r))
		return false;
	snprintf(ret->text, sizeof(ret->text), "n/a (n=%" PRIu64 ")", r->samples);
	return true;
}

struct figure figure_percent(double share)
{
	struct figure f;

	if (isnan(share))
		snprintf(f.text, sizeof(f.text), "%s", unknown);
	else
		snprintf(f.text, sizeof(f.text), "%.1f", share * 100);
	if (strcmp(f.text, "-0.0") == 0)
		snprintf(f.text, sizeof(f.text), "0.0");
	return f;
}

static struct figure share(const struct metric_result *r, const char *unit)
{
	double half = half_width(r) * 100;
	struct figure value = figure_percent(r->value), f;

	if (is_too_few(r, &f))
		return f;
	if (isnan(half))
		snprintf(f.text, sizeof(f.text), "%.30s%s", value.text, isnan(r->value) ? "" : unit);
	else
		snprintf(f.text, sizeof(f.text), "%.30s ±%.1f%s%s", value.text, fmax(half, 0.1), unit,
			 half > 10 ? " (unreliable)" : "");
	return f;
}

struct figure figure_share(const struct metric_result *r)
{
	return share(r, "");
}

struct figure figure_share_in_words(const struct metric_result *r)
{
	return share(r, " %");
}

struct figure figure_coverage(double coverage)
{
	struct figure f = { "" };

	if (!isnan(coverage))
		snprintf(f.text, sizeof(f.text), "%.1f %%", coverage * 100);
	return f;
}

struct figure figure_whole(double v)
{
	struct figure f;
	char digits[64];
	size_t n, out = 0;

	if (!isfinite(v) || fabs(v) >= 1e40) {
		snprintf(f.text, sizeof(f.text), isnan(v) ? unknown : "%g", v);
		return f;
	}
	snprintf(digits, sizeof(digits), "%.0f", fabs(v));
	n = strlen(digits);
	if (v < 0 && strcmp(digits, "0"))
		f.text[out++] = '-';
	for (size_t i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			f.text[out++] = ',';
		f.text[out++] = digits[i];
	}
	f.text[out] = 0;
	return f;
}

/* Decimals so that the last digit is one that the error leaves alone: two of the error are shown. */
static int decimals_for(double half)
{
	int n = half > 0 ? 1 - (int)floor(log10(half)) : 3;

	return n < 0 ? 0 : n > 6 ? 6 : n;
}

/* Counts are whole; others have four digits, or those that the error leaves. */
struct figure figure_value(const struct metric_result *r, double per_unit, bool counts)
{
	double value = r->value * per_unit, half = half_width(r) * fabs(per_unit);
	struct figure f;

	if (is_too_few(r, &f))
		return f;
	if (isnan(value)) {
		snprintf(f.text, sizeof(f.text), "%s", unknown);
	} else if (counts && fabs(value) >= 1000) {
		f = figure_whole(value);
		if (!isnan(half) && strlen(f.text) < 40)
			snprintf(f.text + strlen(f.text), 39, " ±%.30s", figure_whole(fmax(half, 1)).text);
	} else if (isnan(half) || fabs(value) >= 1e15) {
		snprintf(f.text, sizeof(f.text), "%.4g", value);
	} else {
		snprintf(f.text, sizeof(f.text), "%.*f ±%.*f", decimals_for(half), value, decimals_for(half), half);
	}
	return f;
}

struct figure figure_plain(double v)
{
	struct figure f;

	snprintf(f.text, sizeof(f.text), "%.3g", v);
	return f;
}
