/** Values of every type for the schemas of the OpenAPI document. */
import { DOCUMENT, faultsOf, type Json } from '../documented.ts';

export interface Value {
  value: unknown;
  /** Where it stands in the value: a JSON pointer. */
  path: string;
}

/** Values of every type. What switches a parameter off (null, an empty text, list or object) is not among them. */
const VALUES: unknown[] = [
  ...[true, 7, -1, 0.5, 2 ** 53, 1e300],
  ...['no such word', 'nul\u0000', 'half \ud83d'],
  ...[{ zz: 1 }, [7], [{ zz: 1 }], [[]], [null], [true]],
];

/** Texts of every kind, for parameters of addresses. */
const TEXTS = [
  ...['no such word', '', 'nul\u0000', 'yes', '-1', '1.5', '0x10', '1e1', ' 5'],
  ...['1767225600000', '9007199254740993', '2026-02-30', 'x'.repeat(257)],
];

/** Values just beyond the limits of a schema. */
function beyond({ minimum, maximum, maxLength, maxItems }: Json): unknown[] {
  const values: unknown[] = [];
  if (minimum !== undefined) values.push(minimum - 1, String(minimum));
  if (maximum !== undefined) values.push(maximum + 1);
  if (maxLength !== undefined) values.push('x'.repeat(maxLength + 1));
  if (maxItems !== undefined) values.push(Array(maxItems + 1).fill('x'));
  return values;
}

/** Values of every type for an object, its members and theirs. The schema may allow some of them. */
export function valuesFor(schema: Json, levels = Infinity): Value[] {
  if (schema.$ref !== undefined) {
    const [, , , name] = schema.$ref.split('/');
    return valuesFor(DOCUMENT.components.schemas[name], levels);
  }
  const all = [...VALUES, ...beyond(schema)].map((value) => ({ value, path: '' }));
  const alternatives = new Map<string, Value>();
  for (const alternative of schema.anyOf ?? [])
    for (const each of valuesFor(alternative, levels))
      if (each.path !== '') alternatives.set(JSON.stringify(each), each);
  all.push(...alternatives.values());
  if (levels === 0) return all;
  for (const [name, property] of Object.entries<Json>(schema.properties ?? {})) {
    const step = name.replaceAll('~', '~0').replaceAll('/', '~1');
    for (const { value, path } of valuesFor(property, levels - 1))
      all.push({ value: { [name]: value }, path: `/${step}${path}` });
  }
  if (schema.items !== undefined)
    for (const { value, path } of valuesFor(schema.items, levels - 1))
      all.push({ value: [value], path: `/0${path}` });
  return all;
}

/** Texts that are none of the values that the schema of a parameter allows. */
export function badTexts(schema: Json): string[] {
  const number = schema.type === 'integer' ? /^-?\d+$/ : /^-?\d+(\.\d+)?(e\d+)?$/;
  return [...new Set([...TEXTS, ...beyond(schema).map(String)])].filter((text) => {
    const readings: unknown[] = [text, ...(number.test(text) ? [Number(text)] : [])];
    return readings.every((value) => faultsOf(schema, value).length > 0);
  });
}
