import { API_KEY } from '../simulation/support/service-process.ts';
import type { Chance } from './chance.ts';
import { DOORS, type Door } from './doors.ts';
import type { SentRequest } from './http-client.ts';
import { mutatedBytes, mutatedJson, textOf } from './mutations.ts';

const TYPES = [
  'application/json',
  'application/x-ndjson',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data',
  '',
  'a/b;;;',
];
const HEADERS: readonly [string, readonly string[]][] = [
  [
    'authorization',
    [
      '',
      'Bearer',
      'Bearer x',
      `Bearer ${API_KEY}`,
      `Basic ${API_KEY}`,
      'Basic !!!',
      'Basic OnRlc3Q=',
      'Digest a="b"',
      'x'.repeat(5_000),
    ],
  ],
  ['x-api-key', ['', 'x', API_KEY, 'é']],
  ['content-encoding', ['gzip', 'identity', 'br, gzip', 'x']],
  ['if-match', ['*', '"1"', 'W/"1"', '"x', '1', '99999999999999999999']],
  ['accept', ['text/html', '*/*', 'x']],
  ['http-referer', ['https://a.example/x', '%%%', 'javascript:1', 'é'.repeat(300)]],
  ['x-title', ['Shop', '\t', 'é', 'x'.repeat(4_000)]],
  ['cookie', ['a=b; c', '=;=;']],
  ['range', ['bytes=0-1', 'x']],
  ['origin', ['null', 'https://a.example']],
  ['expect', ['x']],
  ['x-http-method-override', ['DELETE']],
];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
/** Fragments of targets without line ends. */
const PIECES = [
  '%00',
  '%',
  '%zz',
  '%ff',
  '%2F',
  '%2e%2e',
  '..',
  '.',
  '//',
  '?',
  '&',
  '=',
  '#',
  '+',
  ';',
  '%F0%9F%9C%81',
  'x'.repeat(300),
  '%C3',
  '__proto__',
  "'",
  '"',
  '<script>',
  '*',
  '{id}',
  ':id',
  '\\',
];

const BODY_LENGTH_MAX = 1_000_000;

/** A valid request with some mutations. */
export function mutatedRequest(chance: Chance): SentRequest {
  const door = chance.pick(DOORS);
  const headers = new Map<string, string>([['authorization', `Bearer ${API_KEY}`]]);
  let body = bodyOf(door, chance);
  if (body !== undefined) headers.set('content-type', door.type ?? 'application/json');
  if (body !== undefined && chance.percent(30))
    for (let times = 1 + chance.below(3); times > 0; times--) body = mutatedBytes(body, chance);
  let { method, target } = door;
  if (chance.percent(8)) headers.set('content-type', chance.pick(TYPES));
  for (let times = chance.percent(20) ? 1 + chance.below(3) : 0; times > 0; times--) {
    const [name, values] = chance.pick(HEADERS);
    headers.set(name, chance.pick(values));
  }
  if (chance.percent(25))
    for (let times = 1 + chance.below(2); times > 0; times--) target = mutatedTarget(target, chance);
  if (chance.percent(4)) method = chance.pick(METHODS);
  const sent: SentRequest = { method, target, headers: [...headers] };
  return body === undefined ? sent : { ...sent, body: Buffer.from(body).toString('base64') };
}

function bodyOf({ json, text }: Door, chance: Chance): Uint8Array | undefined {
  if (text !== undefined) return Buffer.from(text);
  if (json === undefined) return chance.percent(3) ? Buffer.from('{}') : undefined;
  let text_of_json = JSON.stringify(json);
  let value: unknown = json;
  for (let times = chance.below(4); times > 0; times--) {
    value = mutatedJson(value, chance);
    const longer = textOf(value);
    // Nested lists would grow too large to send.
    if (longer.length > BODY_LENGTH_MAX) break;
    text_of_json = longer;
  }
  return Buffer.from(text_of_json);
}

function mutatedTarget(target: string, chance: Chance): string {
  const at = 1 + chance.below(target.length);
  const length = chance.percent(40) ? chance.below(Math.min(6, target.length - at) + 1) : 0;
  return `${target.slice(0, at)}${chance.pick(PIECES)}${target.slice(at + length)}`;
}
