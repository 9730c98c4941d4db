import { type TSchema, Type } from '@sinclair/typebox';
import type { FeedType } from '../../plugin/index.ts';
import { feedSchemaName } from '../openapi/plugin-schemas.ts';
import { refTo } from '../openapi/schema.ts';

/** The parameters of a feed for the document: descriptions, and the form that the checking schema allows. */
export function parameterDocs(
  feed_type: FeedType,
  checked: Record<string, TSchema>,
): Record<string, TSchema> {
  const documented = Object.entries(checked).map(([name, schema]) => [
    name,
    fieldDocs(feed_type, name, schema),
  ]);
  return Object.fromEntries(documented);
}

function fieldDocs(feed_type: FeedType, name: string, schema: TSchema): TSchema {
  if (name === 'filters') return Type.Optional(refTo('Filters'));
  if (name === 'scoring') return Type.Optional(refTo(feedSchemaName(feed_type, 'Scoring')));
  if (name === 'visibility_rules') return Type.Optional(refTo('VisibilityRules'));
  if (name === 'promotion_filters') {
    return Type.Optional({ ...described(schema), items: refTo('Promotion') });
  }
  const shown = name === 'time_decay' ? withNone(schema) : described(schema);
  return Type.Optional(shown);
}

/** Describes a schema and its fields by their meaning and their form. */
function described({ meaning, description: form, ...schema }: TSchema): TSchema {
  const { properties } = schema;
  const inner = properties === undefined ? {} : { properties: allDescribed(properties) };
  const text = [meaning, form === undefined ? undefined : sentence(form)].filter(Boolean).join(' ');
  return { ...schema, ...inner, ...(text === '' ? {} : { description: text }) } as TSchema;
}

export function allDescribed<Name extends string>(fields: Record<Name, TSchema>): Record<Name, TSchema> {
  const described_fields = Object.entries<TSchema>(fields).map(([name, field]) => [name, described(field)]);
  return Object.fromEntries(described_fields) as Record<Name, TSchema>;
}

/** Adds `none`, which switches a saved value off before the request is checked. */
function withNone(schema: TSchema): TSchema {
  const { anyOf, ...rest } = described(schema);
  return Type.Unsafe({ ...rest, anyOf: [{ const: 'none', type: 'string' }, ...(anyOf ?? [])] });
}

function sentence(form: string): string {
  return form === 'true or false' ? '' : `Form: ${form}.`;
}
