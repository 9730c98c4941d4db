/** The committed OpenAPI document, for tests of every documented operation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js';
import type { Scope } from '../../src/store/keys.ts';
import { REPOSITORY } from '../support/feedloom.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of every shape
export type Json = any;

export const COMMITTED = readFileSync(join(REPOSITORY, 'openapi', 'openapi.json'), 'utf8');
export const DOCUMENT: Json = JSON.parse(COMMITTED);

export interface Operation {
  name: string;
  method: string;
  path: string;
  operation: Json;
  /** The scopes of which it needs one. */
  scopes: Scope[];
}

/** In the order of the document. */
export const OPERATIONS: Operation[] = Object.entries<Json>(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
    scopes: operation.security.flatMap(({ bearer = [] }: { bearer?: Scope[] }) => bearer),
  })),
);

/** The address of a request with the examples of its parameters, and other values for some of them. */
export function addressOf({ path, operation }: Operation, values: Record<string, string> = {}): string {
  const query: string[] = [];
  let address = path;
  for (const { name, in: place, example } of operation.parameters ?? []) {
    const value: unknown = values[name] ?? example;
    const text = encodeURIComponent(String(value));
    if (place === 'path') address = address.replace(`{${name}}`, text);
    else if (place === 'query' && value !== undefined) query.push(`${name}=${text}`);
  }
  return query.length > 0 ? `${address}?${query.join('&')}` : address;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'doc', components: DOCUMENT.components });
/** By schema. Compiling one takes longer than a request. */
const compiled = new Map<Json, ValidateFunction>();

/** What is wrong with a value by a schema of the document, which may refer to others. */
export function faultsOf(schema: Json, value: unknown): unknown[] {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')));
    compiled.set(schema, check);
  }
  check(value);
  return check.errors ?? [];
}
