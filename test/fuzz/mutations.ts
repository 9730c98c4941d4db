import type { Chance } from './chance.ts';

/** JSON values that tend to break programs. */
const NASTY: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => '',
  () => 0,
  () => -1,
  () => -0,
  () => 0.1,
  () => 2 ** 31,
  () => 2 ** 53,
  () => Number.MAX_VALUE,
  () => Number.MIN_VALUE,
  () => [],
  () => ({}),
  () => [null],
  () => [[[]]],
  () => '__proto__',
  () => 'constructor',
  () => JSON.parse('{"__proto__":{"a":1}}'),
  () => '\u0000',
  () => '\ud800',
  () => '\u202e\u001b[2J',
  () => '🜁'.repeat(200),
  () => 'x'.repeat(300),
  () => 'x'.repeat(70_000),
  () => Array.from({ length: 1_100 }, (_, at) => `v${at}`),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at])),
  () => 'NaN',
  () => '1e999',
  () => '2026-13-45T99:99:99Z',
  () => '%00',
  () => '../../etc/passwd',
  () => "'; drop table items; --",
];

const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'length',
  '',
  ' ',
  'a\u0000b',
  'user_id',
  'filters',
  '\ud83d',
];

/** Placeholder for lists nested 20,000 deep. */
const ABYSS = 'abyss';

/** Bytes with a meaning for parsers. */
const TOKENS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  '\\u',
  '\\ud800',
  '\\u0000',
  'null',
  'true',
  '-',
  '1e999',
  '-0',
  '.',
  '0x1f',
  '\n',
  '\r\n',
  '\r',
  '\u0000',
  '\ufeff',
  '\u2028',
  '""',
  '"a":1,',
  '// x',
  '/* x */',
  "'",
  'NaN',
  '9'.repeat(400),
  '[[[[[[[[',
  '\t',
  ' ',
];

/** A copy of a JSON value with one difference. */
export function mutatedJson(value: unknown, chance: Chance): unknown {
  const root = { value: structuredClone(value) };
  const places = placesIn(root);
  const { parent, key } = chance.pick(places);
  const known = Reflect.get(parent, key);
  switch (chance.below(9)) {
    case 0:
    case 1:
      put(parent, key, chance.pick(NASTY)());
      break;
    case 2:
      if (parent !== root) Reflect.deleteProperty(parent, key);
      break;
    case 3:
      put(parent, key, [known]);
      break;
    case 4:
      put(parent, key, { [chance.pick(KEYS)]: known });
      break;
    case 5:
      put(parent, key, chance.percent(75) ? nested(chance.pick([10, 70, 300])) : ABYSS);
      break;
    case 6:
      if (typeof known === 'object' && known !== null) put(known, chance.pick(KEYS), chance.pick(NASTY)());
      else put(parent, key, `${shown(known)}${shown(chance.pick(NASTY)())}`.slice(0, 80_000));
      break;
    case 7:
      put(parent, key, typeof known === 'number' ? known * chance.pick([-1, 1e3, 1e15, 0.5]) : shown(known));
      break;
    case 8:
      put(
        parent,
        key,
        Array.from({ length: chance.pick([2, 30, 1_001]) }, () => known),
      );
      break;
  }
  return root.value;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A new property with any name; for a list, one more element. */
function put(parent: object, key: PropertyKey, value: unknown): void {
  if (Array.isArray(parent) && !Object.hasOwn(parent, key)) {
    parent.push(value);
    return;
  }
  if (Array.isArray(parent) && key === 'length') return;
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function placesIn(parent: object): { parent: object; key: PropertyKey }[] {
  return Object.keys(parent).flatMap((key) => {
    const value: unknown = Reflect.get(parent, key);
    const below = typeof value === 'object' && value !== null ? placesIn(value) : [];
    return [{ parent, key }, ...below];
  });
}

function nested(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** JSON text, with the placeholder replaced by values that are too deep to build. */
export function textOf(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.replace(JSON.stringify(ABYSS), `${'['.repeat(20_000)}${']'.repeat(20_000)}`);
}

/** A copy of bytes with one difference. */
export function mutatedBytes(bytes: Uint8Array, chance: Chance): Uint8Array {
  const at = chance.below(bytes.length + 1);
  const length = chance.below(Math.min(64, bytes.length - at) + 1);
  const [before, cut, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ];
  switch (chance.below(7)) {
    case 0:
      return joined(before, after);
    case 1:
      return joined(before, Buffer.from(chance.pick(TOKENS)), cut, after);
    case 2:
      return joined(before, cut, cut, cut, after);
    case 3:
      return joined(before, Uint8Array.of(chance.below(256)), after);
    case 4:
      return before;
    case 5:
      return joined(before, Buffer.from(chance.pick(TOKENS).repeat(1 + chance.below(300))), after);
    default:
      return joined(
        before,
        cut.map((byte) => byte ^ (1 << chance.below(8))),
        after,
      );
  }
}

function joined(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
