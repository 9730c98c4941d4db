/**
 * The TypeScript types of the client, from the OpenAPI document: stdin → stdout.
 *
 * Known libraries for this need the compiler API of TypeScript 6 and earlier, which TypeScript 7 does not have.
 */

/** The parts of JSON Schema that the document uses. */
interface Schema {
  $ref?: string;
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  type?: string;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  patternProperties?: Readonly<Record<string, Schema>>;
  /** Not JSON Schema: the id of a third-party plugin. */
  is_plugin_id?: true;
  /** Not JSON Schema: beside its properties, the object has keys that are ids of third-party plugins. */
  has_plugin_keys?: true;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Body {
  required?: boolean;
  content?: Readonly<Record<string, { schema: Schema }>>;
}

interface Operation {
  summary: string;
  parameters?: readonly Parameter[];
  requestBody?: Body;
  responses: Readonly<Record<string, Body>>;
}

interface Document {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

const HEADER = `/** Types of the HTTP API. Generated from openapi/openapi.json by \`bun run openapi\`; do not edit. */

/** Id of a third-party plugin, such as \`acme/keywords\`. */
export type PluginId = \`\${string}/\${string}\`;
`;

/** The chain of the document. */
const CHAIN = 'base';
/** Network and chain are settings of the service, so the client fills them in. */
const PREFIXES: readonly [string, string][] = [
  ['/v2/community/', '/v2/{network}/'],
  [`/${CHAIN}/`, '/{chain}/'],
];

/** Where the parameters of an operation go, by the name that OpenAPI has for it. */
const PLACES: readonly [string, string][] = [
  ['path', 'path'],
  ['query', 'query'],
  ['header', 'headers'],
];

/** The text of `client/src/schema.ts`. */
export function clientTypes(document: Document): string {
  const { paths, components } = withPlugins(document);
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')};\n`,
  );
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
  );
  const table = `/** Every operation by its method and path. */\nexport interface Operations {\n${operations.join('')}}\n`;
  return [HEADER, ...schemas, table].join('\n');
}

function operationOf(method: string, path: string, operation: Operation): string {
  const [from, to] = PREFIXES.find(([prefix]) => path.startsWith(prefix)) ?? ['', ''];
  const lines: string[] = [];
  for (const [place, name] of PLACES) {
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === place);
    if (parameters.length === 0) continue;
    const optional = parameters.some(({ required }) => required) ? '' : '?';
    lines.push(`    ${name}${optional}: ${typeOf(objectOf(parameters), '    ')};\n`);
  }
  const { requestBody } = operation;
  if (requestBody !== undefined) {
    const optional = requestBody.required ? '' : '?';
    lines.push(`    body${optional}: ${typeOf(contentOf(requestBody), '    ')};\n`);
  }
  const [, answer] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
  lines.push(`    answer: ${typeOf(contentOf(answer), '    ')};\n`);
  const name = `${method.toUpperCase()} ${to}${path.slice(from.length)}`;
  return `${comment(operation.summary, '  ')}  '${name}': {\n${lines.join('')}  };\n`;
}

function objectOf(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
  };
}

/** The schema of a body. One that has a record per line counts as the list of them. */
function contentOf({ content = {} }: Body): Schema {
  const [[type, { schema }]] = Object.entries(content);
  return type === 'application/x-ndjson' ? { type: 'array', items: schema } : schema;
}

/** @param indent of the line that the type begins on */
function typeOf(schema: Schema, indent: string): string {
  if (schema.is_plugin_id) return 'PluginId';
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1)!;
  if (schema.const === CHAIN) return 'string';
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((one) => typeOf(one, indent)))].join(' | ');
  switch (schema.type) {
    case undefined:
      return 'unknown';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listOf(typeOf(schema.items ?? {}, indent));
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`a schema has the type '${schema.type}', which this generator does not know`);
  }
}

function listOf(element: string): string {
  return /[|{]/.test(element) ? `Array<${element}>` : `${element}[]`;
}

function objectType(schema: Schema, indent: string): string {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, property]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    const optional = required.includes(name) ? '' : '?';
    return `${comment(property.description, inner)}${inner}${key}${optional}: ${typeOf(property, inner)};\n`;
  });
  if (schema.has_plugin_keys) members.push(`${inner}[plugin: PluginId]: unknown;\n`);
  if (members.length > 0) return `{\n${members.join('')}${indent}}`;
  const values = patternProperties === undefined ? additionalProperties : Object.values(patternProperties)[0];
  if (values === false) return 'Record<string, never>';
  return `Record<string, ${typeof values === 'object' ? typeOf(values, indent) : 'unknown'}>`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replace(/[\\']/g, '\\$&')}'` : JSON.stringify(value);
}

function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Third-party plugins add scoring functions, promotion types, filters and visibility rules to those of the document. */
function withPlugins(document: Document): Document {
  const plugin_id: Schema = { is_plugin_id: true };
  const plugin_scoring: Schema = {
    type: 'object',
    required: ['name'],
    properties: { name: plugin_id, options: {} },
  };
  const schemas = Object.entries(document.components.schemas).map(([name, schema]): [string, Schema] => {
    if (name === 'Filters' || name === 'VisibilityRules') return [name, { ...schema, has_plugin_keys: true }];
    if (name.endsWith('Scoring'))
      return [name, { ...schema, anyOf: [...(schema.anyOf ?? []), plugin_id, plugin_scoring] }];
    if (name !== 'Promotion') return [name, schema];
    const { promotion_type, ...others } = schema.properties ?? {};
    const either = { description: promotion_type.description, anyOf: [promotion_type, plugin_id] };
    return [name, { ...schema, properties: { promotion_type: either, ...others } }];
  });
  return { ...document, components: { schemas: Object.fromEntries(schemas) } };
}

if (import.meta.main) process.stdout.write(clientTypes(await Bun.stdin.json()));
