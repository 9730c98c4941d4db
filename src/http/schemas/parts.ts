import { type TSchema, Type } from '@sinclair/typebox';

/** Parts that the schemas of several answers have. */

/** A moment. */
export function Seconds(description: string, example = 1764865269): TSchema {
  return Type.Integer({ minimum: 0, description: `${description} Seconds since the Unix epoch.`, example });
}

/** A field that is always there. @param absent what null says */
export function orNull(schema: TSchema, absent = 'unknown.'): TSchema {
  const { description, example, ...form } = schema;
  return Type.Union([Type.Unsafe(form), Type.Null()], {
    description: `${description} null: ${absent}`,
    example,
  });
}
