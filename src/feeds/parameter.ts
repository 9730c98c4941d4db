import { type TSchema, Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';

/** Parts that the schemas of several parameters share. The description of a schema is the form of its values. */

export const Switch = Type.Boolean({ description: 'true or false' });

const ID_LENGTH = { minLength: 1, maxLength: LIMITS.id_length_max };

/** An integer is equivalent to its decimal text. */
export const Identifier = Type.Union([Type.String(ID_LENGTH), Type.Integer()], {
  description: `an identifier of 1 to ${LIMITS.id_length_max} characters, or an integer up to 2^53-1`,
});

/** @param meaning what the parameter does; the description of its schema is the form of its values */
export function parameter<T extends TSchema>(schema: T, meaning: string) {
  return Type.Optional<T>({ ...schema, meaning });
}

export function integer(minimum: number, maximum: number) {
  const most = maximum === Number.MAX_SAFE_INTEGER ? '2^53-1' : maximum;
  return Type.Integer({ minimum, maximum, description: `an integer from ${minimum} to ${most}` });
}

export function text(what: string) {
  return Type.String({ ...ID_LENGTH, description: `${what} of 1 to ${LIMITS.id_length_max} characters` });
}
