import fc from 'fast-check';

/** Steps of a kind, or of one of several kinds, among others of `fc.oneof`. */
export function steps<const Kind extends string, Fields>(
  weight: number,
  kinds: Kind | readonly Kind[],
  fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
) {
  const kind = fc.constantFrom<Kind[]>(...(typeof kinds === 'string' ? [kinds] : kinds));
  const arbitrary = fc.tuple(kind, fc.record<Fields>(fields)).map(([of, given]) => ({ kind: of, ...given }));
  return { weight, arbitrary };
}

/** A field that half of the steps lack. */
export function maybe<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(values, { nil: undefined, freq: 2 });
}
