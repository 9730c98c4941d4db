import type { TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** Options when none are given: the default of the whole, else an object of the defaults of its members. */
export function defaultOptions(schema: TSchema): unknown {
  const whole = Value.Default(schema, undefined);
  return whole === undefined ? Value.Default(schema, {}) : whole;
}
