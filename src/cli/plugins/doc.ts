import type { TSchema } from '@sinclair/typebox';
import { KIND_DATA, KINDS, type Kind, type KindMap } from '../../registry/kinds.ts';
import { BUILT_IN, type Registered, type Registry } from '../../registry/registry.ts';

/** `feedloom plugins doc`: purposes, names and options of extensions, in Markdown. */
export function documentation(registry: Registry, external_only: boolean): string {
  const sections = KINDS.flatMap((kind) =>
    registry
      .all(kind)
      .filter(({ source }) => !external_only || source !== BUILT_IN)
      .map((registered) => section(kind, registered)),
  );
  return sections.join('\n\n');
}

function section<K extends Kind>(kind: K, { id, extension, options }: Registered<KindMap[K]>): string {
  const { title, usedBy } = KIND_DATA[kind];
  const { schema } = options;
  const parts = [`## \`${id}\` (${title})`, extension.summary, `Used by: ${usedBy(id, extension)}.`];
  const rows = optionRows(schema);
  if (rows.length > 0) {
    const table = rows.map((row) => `| ${row.join(' | ')} |`);
    parts.push(['| Option | Value | Default | Meaning |', '| --- | --- | --- | --- |', ...table].join('\n'));
  } else parts.push('It has no options.');
  const examples: unknown[] = Array.isArray(schema.examples) ? schema.examples : [];
  for (const example of examples) parts.push(`For example \`${JSON.stringify(example)}\`.`);
  return parts.join('\n\n');
}

/**
 * Name, value, default and meaning of every option. The value itself gets a row if it is not an object, or an object
 * with arbitrary names.
 */
function optionRows(schema: TSchema): string[][] {
  if (schema.type !== 'object') return [row('(the value)', schema, false)];
  const rows = memberRows(schema, '');
  return schema.patternProperties === undefined ? rows : [row('(the value)', schema, false), ...rows];
}

function memberRows(schema: TSchema, prefix: string): string[][] {
  return membersOf(schema).flatMap(([name, member, optional]) => {
    const own = row(`\`${prefix}${name}\``, member, optional);
    return member.type === 'object' ? [own, ...memberRows(member, `${prefix}${name}.`)] : [own];
  });
}

/** The fields of an object: name, schema, and whether the field is optional. */
function membersOf(schema: TSchema): [string, TSchema, boolean][] {
  const { properties = {}, patternProperties = {}, additionalProperties: others } = schema;
  const required: string[] = schema.required ?? [];
  const members: [string, TSchema, boolean][] = [];
  for (const [name, member] of Object.entries<TSchema>(properties)) {
    members.push([name, member, !required.includes(name)]);
  }
  for (const member of Object.values<TSchema>(patternProperties)) members.push(['<name>', member, true]);
  if (typeof others === 'object') members.push(['<name>', others, true]);
  return members;
}

function row(name: string, schema: TSchema, optional: boolean): string[] {
  const absent = optional ? 'none' : 'required';
  const initial = schema.default === undefined ? absent : `\`${JSON.stringify(schema.default)}\``;
  return [name, allowedBy(schema), initial, schema.description ?? ''].map((cell) =>
    cell.replaceAll('|', '\\|'),
  );
}

/** The values that a schema allows, in words. */
function allowedBy(schema: TSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map(allowedBy).join(' or ');
  if (schema.type === 'array') {
    const items: TSchema | undefined = schema.items;
    const count = range(schema.minItems, schema.maxItems);
    return `list of ${items === undefined ? 'any values' : allowedBy(items)}${count && ` (${count} of them)`}`;
  }
  if (schema.type === 'string') {
    const length = range(schema.minLength, schema.maxLength);
    const pattern = schema.pattern === undefined ? '' : ` like \`${schema.pattern}\``;
    return `text${length && ` of ${length} characters`}${pattern}`;
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return [schema.type, range(schema.minimum, schema.maximum), beyond(schema)].filter(Boolean).join(', ');
  }
  return typeof schema.type === 'string' ? schema.type : 'any value';
}

function range(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `at least ${least}`;
  return most === undefined ? '' : `at most ${most}`;
}

function beyond({ exclusiveMinimum: above, exclusiveMaximum: below }: TSchema): string {
  const limits = [above === undefined ? '' : `above ${above}`, below === undefined ? '' : `below ${below}`];
  return limits.filter((limit) => limit !== '').join(' and ');
}
