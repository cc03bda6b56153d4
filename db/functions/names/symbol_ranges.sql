-- taisce.symbol_ranges()
-- What ends a word where marks are looked at, as ranges for a bracket expression: signs other than
-- +, emoji and unseen marks (S* and Cf of Unicode 14.0, and variation selectors). Spelled out so
-- that no server decides.
-- Returns: one text.   Runs as: invoker.   Since: 0.1

create or replace function taisce.symbol_ranges()
returns text
language sql
immutable
parallel safe
as $func$
    select
        '\u0024\u003c-\u003e\u005e\u0060\u007c\u007e\u00a2-\u00a6\u00a8\u00a9'
        '\u00ac-\u00b1\u00b4\u00b8\u00d7\u00f7\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed'
        '\u02ef-\u02ff\u0375\u0384\u0385\u03f6\u0482\u058d-\u058f\u0600-\u0608\u060b'
        '\u060e\u060f\u061c\u06dd\u06de\u06e9\u06fd\u06fe\u070f\u07f6\u07fe\u07ff\u0888'
        '\u0890\u0891\u08e2\u09f2\u09f3\u09fa\u09fb\u0af1\u0b70\u0bf3-\u0bfa\u0c7f\u0d4f'
        '\u0d79\u0e3f\u0f01-\u0f03\u0f13\u0f15-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38'
        '\u0fbe-\u0fc5\u0fc7-\u0fcc\u0fce\u0fcf\u0fd5-\u0fd8\u109e\u109f\u1390-\u1399\u166d'
        '\u17db\u180e\u1940\u19de-\u19ff\u1b61-\u1b6a\u1b74-\u1b7c\u1fbd\u1fbf-\u1fc1'
        '\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed-\u1fef\u1ffd\u1ffe\u200b-\u200f\u202a-\u202e\u2044'
        '\u2052\u2060-\u2064\u2066-\u206f\u207a-\u207c\u208a-\u208c\u20a0-\u20c0\u2100\u2101'
        '\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211e-\u2123\u2125\u2127\u2129\u212e'
        '\u213a\u213b\u2140-\u2144\u214a-\u214d\u214f\u218a\u218b\u2190-\u2307\u230c-\u2328'
        '\u232b-\u2426\u2440-\u244a\u249c-\u24e9\u2500-\u2767\u2794-\u27c4\u27c7-\u27e5'
        '\u27f0-\u2982\u2999-\u29d7\u29dc-\u29fb\u29fe-\u2b73\u2b76-\u2b95\u2b97-\u2bff'
        '\u2ce5-\u2cea\u2e50\u2e51\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u2ffb\u3004'
        '\u3012\u3013\u3020\u3036\u3037\u303e\u303f\u309b\u309c\u3190\u3191\u3196-\u319f'
        '\u31c0-\u31e3\u3200-\u321e\u322a-\u3247\u3250\u3260-\u327f\u328a-\u32b0\u32c0-\u33ff'
        '\u4dc0-\u4dff\ua490-\ua4c6\ua700-\ua716\ua720\ua721\ua789\ua78a\ua828-\ua82b'
        '\ua836-\ua839\uaa77-\uaa79\uab5b\uab6a\uab6b\ufb29\ufbb2-\ufbc2\ufd40-\ufd4f\ufdcf'
        '\ufdfc-\ufdff\ufe00-\ufe0f'
        '\ufe62\ufe64-\ufe66\ufe69\ufeff\uff04\uff0b\uff1c-\uff1e\uff3e\uff40'
        '\uff5c\uff5e\uffe0-\uffe6\uffe8-\uffee\ufff9-\ufffd\U00010137-\U0001013f'
        '\U00010179-\U00010189\U0001018c-\U0001018e\U00010190-\U0001019c\U000101a0'
        '\U000101d0-\U000101fc\U00010877\U00010878\U00010ac8\U000110bd\U000110cd\U0001173f'
        '\U00011fd5-\U00011ff1\U00013430-\U00013438\U00016b3c-\U00016b3f\U00016b45\U0001bc9c'
        '\U0001bca0-\U0001bca3\U0001cf50-\U0001cfc3\U0001d000-\U0001d0f5\U0001d100-\U0001d126'
        '\U0001d129-\U0001d164\U0001d16a-\U0001d16c\U0001d173-\U0001d17a\U0001d183\U0001d184'
        '\U0001d18c-\U0001d1a9\U0001d1ae-\U0001d1ea\U0001d200-\U0001d241\U0001d245'
        '\U0001d300-\U0001d356\U0001d6c1\U0001d6db\U0001d6fb\U0001d715\U0001d735\U0001d74f'
        '\U0001d76f\U0001d789\U0001d7a9\U0001d7c3\U0001d800-\U0001d9ff\U0001da37-\U0001da3a'
        '\U0001da6d-\U0001da74\U0001da76-\U0001da83\U0001da85\U0001da86\U0001e14f\U0001e2ff'
        '\U0001ecac\U0001ecb0\U0001ed2e\U0001eef0\U0001eef1\U0001f000-\U0001f02b'
        '\U0001f030-\U0001f093\U0001f0a0-\U0001f0ae\U0001f0b1-\U0001f0bf\U0001f0c1-\U0001f0cf'
        '\U0001f0d1-\U0001f0f5\U0001f10d-\U0001f1ad\U0001f1e6-\U0001f202\U0001f210-\U0001f23b'
        '\U0001f240-\U0001f248\U0001f250\U0001f251\U0001f260-\U0001f265\U0001f300-\U0001f6d7'
        '\U0001f6dd-\U0001f6ec\U0001f6f0-\U0001f6fc\U0001f700-\U0001f773\U0001f780-\U0001f7d8'
        '\U0001f7e0-\U0001f7eb\U0001f7f0\U0001f800-\U0001f80b\U0001f810-\U0001f847'
        '\U0001f850-\U0001f859\U0001f860-\U0001f887\U0001f890-\U0001f8ad\U0001f8b0\U0001f8b1'
        '\U0001f900-\U0001fa53\U0001fa60-\U0001fa6d\U0001fa70-\U0001fa74\U0001fa78-\U0001fa7c'
        '\U0001fa80-\U0001fa86\U0001fa90-\U0001faac\U0001fab0-\U0001faba\U0001fac0-\U0001fac5'
        '\U0001fad0-\U0001fad9\U0001fae0-\U0001fae7\U0001faf0-\U0001faf6\U0001fb00-\U0001fb92'
        '\U0001fb94-\U0001fbca\U000e0001\U000e0020-\U000e007f'
$func$;
comment on function taisce.symbol_ranges() is
'Signs other than +, emoji and unseen marks, as ranges for a bracket expression.';
revoke all on function taisce.symbol_ranges() from public;
