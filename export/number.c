// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers as text.  Integers by pairs of digits.  A double v is multiplied by the power
 * of ten that makes it an integer of 17 digits; the product is kept to 192 bits, and
 * the power is known to 128, so that the rounding of the last digit is certain but for
 * a few values in 2^50, which printf decides.
 */
#include "export/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 u128; /* a name for a builtin type, which C has no word for */

#define DIGITS 17
#define U64_DIGITS 20
#define TEN_16 10000000000000000ull
#define TEN_17 100000000000000000ull

/* 10^k for every k that a double can need: 16 - 308 to 16 + 324 */
#define POWER_MIN (-293)
#define POWER_MAX 341
#define POWER_EXACT 55 /* 5^55 is the last that fits 128 bits */

/* 10^k = (high:low, and less than one unit more) x 2^exponent; the top bit is set */
struct power {
	uint64_t high, low;
	int exponent;
};

static struct power powers[POWER_MAX - POWER_MIN + 1];

/* ---- the powers of ten, made once ---- */

/* 256 bits, most significant word first, top bit set, times 2^exponent.  Truncated, never rounded up. */
struct wide {
	uint64_t w[4];
	int exponent;
};

static void wide_shift_left(struct wide *x, int n)
{
	for (int i = 0; i < 4 && n; i++)
		x->w[i] = x->w[i] << n | (i < 3 ? x->w[i + 1] >> (64 - n) : 0);
	x->exponent -= n;
}

static void wide_times_ten(struct wide *x)
{
	u128 carry = 0;
	int n;

	for (int i = 3; i >= 0; i--) {
		carry += (u128)x->w[i] * 10;
		x->w[i] = (uint64_t)carry;
		carry >>= 64;
	}
	/* The carry is 5 to 9: three or four bits come in from the top. */
	n = carry >= 8 ? 4 : 3;
	for (int i = 3; i >= 0; i--) {
		uint64_t above = i ? x->w[i - 1] : (uint64_t)carry;

		x->w[i] = x->w[i] >> n | above << (64 - n);
	}
	x->exponent += n;
}

static void wide_by_ten(struct wide *x)
{
	u128 rest = 0;

	for (int i = 0; i < 4; i++) {
		rest = rest << 64 | x->w[i];
		x->w[i] = (uint64_t)(rest / 10);
		rest %= 10;
	}
	wide_shift_left(x, __builtin_clzll(x->w[0]));
}

static void power_set(int k, const struct wide *x)
{
	powers[k - POWER_MIN] = (struct power){ x->w[0], x->w[1], x->exponent + 128 };
}

static void powers_make(void)
{
	const struct wide one = { { 1ull << 63, 0, 0, 0 }, -255 };
	struct wide x = one;

	for (int k = 0; k <= POWER_MAX; k++, wide_times_ten(&x))
		power_set(k, &x);
	x = one;
	for (int k = -1; k >= POWER_MIN; k--) {
		wide_by_ten(&x);
		power_set(k, &x);
	}
}

/* ---- digits ---- */

static const char pairs[] = "0001020304050607080910111213141516171819"
			    "2021222324252627282930313233343536373839"
			    "4041424344454647484950515253545556575859"
			    "6061626364656667686970717273747576777879"
			    "8081828384858687888990919293949596979899";

static void put_pair(char *to, uint32_t v)
{
	memcpy(to, pairs + 2 * v, 2);
}

/* Exactly eight digits. */
static void put_eight(char *to, uint32_t v)
{
	uint32_t high = v / 10000, low = v % 10000;

	put_pair(to, high / 100);
	put_pair(to + 2, high % 100);
	put_pair(to + 4, low / 100);
	put_pair(to + 6, low % 100);
}

size_t number_u64(char *to, uint64_t v)
{
	char text[2 * U64_DIGITS]; /* so that a copy of a fixed size can begin at any digit */
	char *at = text + U64_DIGITS;

	while (v >= 100) {
		at -= 2;
		put_pair(at, (uint32_t)(v % 100));
		v /= 100;
	}
	if (v >= 10) {
		at -= 2;
		put_pair(at, (uint32_t)v);
	} else {
		*--at = (char)('0' + v);
	}
	memcpy(to, at, U64_DIGITS);
	return (size_t)(text + U64_DIGITS - at);
}

size_t number_i64(char *to, int64_t v)
{
	if (v >= 0)
		return number_u64(to, (uint64_t)v);
	*to = '-';
	return 1 + number_u64(to + 1, 0 - (uint64_t)v);
}

size_t number_hex(char *to, uint64_t v)
{
	size_t digits = v ? (size_t)(67 - __builtin_clzll(v)) / 4 : 1;

	to[0] = '0';
	to[1] = 'x';
	for (size_t i = digits; i > 0; i--, v >>= 4)
		to[1 + i] = "0123456789abcdef"[v & 15];
	return 2 + digits;
}

/* ---- reals ---- */

/* printf, with the locale's decimal point put right. */
static size_t real_by_printf(char *to, double v)
{
	const char *point = localeconv()->decimal_point;
	size_t length = strlen(point);
	char text[64];
	char *at;
	size_t size;

	snprintf(text, sizeof(text), "%.17g", v);
	at = strcmp(point, ".") != 0 && length ? strstr(text, point) : NULL;
	if (at) {
		*at = '.';
		memmove(at + 1, at + length, strlen(at + length) + 1);
	}
	size = strlen(text);
	memcpy(to, text, size);
	return size;
}

/*
 * m x 2^e x 10^k, rounded to an integer; m has its top bit set, and k is such that the
 * integer has 54 to 61 bits.  False when the rounding is not certain.
 */
static bool scaled_integer(uint64_t m, int e, int k, uint64_t *ret)
{
	const struct power *p = &powers[k - POWER_MIN];
	u128 below = (u128)m * p->low;
	u128 above = (u128)m * p->high + (uint64_t)(below >> 64);
	int shift = -(e + p->exponent) - 64; /* bits of `above` after the point */
	uint64_t integer = (uint64_t)(above >> shift);
	u128 rest = above & (((u128)1 << shift) - 1);
	u128 half = (u128)1 << (shift - 1);

	if (k >= 0 && k <= POWER_EXACT) {
		bool tie = rest == half && (uint64_t)below == 0;

		*ret = integer + (tie ? integer & 1 : rest >= half);
		return true;
	}
	/* The product is too small, by less than two units of `rest`. */
	*ret = integer + (rest >= half);
	return rest >= half || half - rest > 2;
}

/* The 17 digits of v > 0 as an integer, and the decimal exponent of the first.  False: not certain. */
static bool real_digits(double v, uint64_t *digits, int *exponent)
{
	uint64_t bits, m;
	int e, shift;

	memcpy(&bits, &v, sizeof(bits));
	m = bits & ((1ull << 52) - 1);
	e = (int)(bits >> 52 & 0x7ff);
	if (e)
		m |= 1ull << 52;
	else
		e = 1;
	shift = __builtin_clzll(m);
	m <<= shift;
	e -= 1075 + shift;

	/* floor(log10(2^(e + 63))): the exponent, or one less than it */
	*exponent = ((e + 63) * 315653) >> 20;
	if (!scaled_integer(m, e, DIGITS - 1 - *exponent, digits))
		return false;
	if (*digits >= TEN_17) {
		(*exponent)++;
		if (!scaled_integer(m, e, DIGITS - 1 - *exponent, digits))
			return false;
	}
	if (*digits < TEN_16) /* 9.99…95 looked like 10 before it was rounded to one place more */
		return false;
	return true;
}

/* As %g lays them out: 0.000123, 123.4, 1.234e-05. */
static size_t real_layout(char *to, uint64_t value, int exponent)
{
	char digits[2 * DIGITS]; /* so that copies of a fixed size can begin at any digit */
	size_t nr = DIGITS, n = 0;

	digits[0] = (char)('0' + value / TEN_16);
	put_eight(digits + 1, (uint32_t)(value / 100000000 % 100000000));
	put_eight(digits + 9, (uint32_t)(value % 100000000));
	while (nr > 1 && digits[nr - 1] == '0')
		nr--;

	if (exponent >= 0 && exponent < DIGITS) {
		size_t whole = (size_t)exponent + 1;

		memcpy(to, digits, DIGITS);
		if (nr <= whole)
			return whole;
		to[whole] = '.';
		memcpy(to + whole + 1, digits + whole, DIGITS);
		return nr + 1;
	}
	if (exponent < 0 && exponent >= -4) {
		size_t zeros = (size_t)(-exponent - 1);

		memcpy(to, "0.000", 5);
		memcpy(to + 2 + zeros, digits, DIGITS);
		return 2 + zeros + nr;
	}
	to[n++] = digits[0];
	if (nr > 1) {
		to[n++] = '.';
		memcpy(to + n, digits + 1, nr - 1);
		n += nr - 1;
	}
	to[n++] = 'e';
	to[n++] = exponent < 0 ? '-' : '+';
	exponent = exponent < 0 ? -exponent : exponent;
	if (exponent < 10)
		to[n++] = '0';
	return n + number_u64(to + n, (uint64_t)exponent);
}

size_t number_real(char *to, double v)
{
	uint64_t digits;
	int exponent;
	size_t sign;

	if (fabs(v) < 9007199254740992.0 && v == (double)(int64_t)v && (v != 0 || !signbit(v)))
		return number_i64(to, (int64_t)v);
	if (!isfinite(v) || v == 0)
		return real_by_printf(to, v);
	if (!powers[0].high)
		powers_make();
	if (!real_digits(fabs(v), &digits, &exponent))
		return real_by_printf(to, v);
	sign = signbit(v) != 0;
	*to = '-';
	return sign + real_layout(to + sign, digits, exponent);
}
