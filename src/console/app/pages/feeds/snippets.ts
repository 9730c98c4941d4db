import type { Language } from '../../ui/code-choice.tsx';
import { typeOf } from './feed.ts';

/** A page of a saved feed, as a program requests it. */
export interface PageRequest {
  /** Address of the service without a slash at its end. */
  address: string;
  /** Such as `feeds/for-you`. The older form `casts/feed/for-you` has the same path. */
  endpoint: string;
  feed_id: string;
  /** Undefined: the request names no viewer. */
  user_id: string | undefined;
}

/** The environment variable from which every snippet takes the key, so that no snippet contains one. */
export const KEY_VARIABLE = 'FEEDLOOM_KEY';

/** Stands where the reader puts the id of a viewer. */
export const VIEWER_PLACEHOLDER = 'USER_ID';

/** Snippets that request a page and show the ids of its items. */
export function snippetsOf(request: PageRequest): Record<Language, string> {
  return { curl: curlOf(request), TypeScript: typeScriptOf(request), Python: pythonOf(request) };
}

function urlOf({ address, endpoint }: PageRequest): string {
  return `${address}/v2/community/feeds/${typeOf(endpoint)}`;
}

/** A viewer's id may have any character, so each language gets it as a literal of its own. */
function fieldsOf({ feed_id, user_id }: PageRequest): [name: string, value: string][] {
  return [['feed_id', feed_id], ...(user_id === undefined ? [] : [['user_id', user_id] as [string, string]])];
}

/** A body in JSON, which is also how Python writes it. */
function bodyOf(request: PageRequest): string {
  return `{${fieldsOf(request)
    .map(([name, value]) => `"${name}": ${JSON.stringify(value)}`)
    .join(', ')}}`;
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function inTypeScript(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function curlOf(request: PageRequest): string {
  return `curl -s ${inShell(urlOf(request))} \\
  -H "authorization: Bearer $${KEY_VARIABLE}" \\
  -H 'content-type: application/json' \\
  -d ${inShell(bodyOf(request))}
`;
}

const METHODS: Readonly<Record<string, string>> = { 'for-you': 'forYou' };

function typeScriptOf(request: PageRequest): string {
  const type = typeOf(request.endpoint);
  const fields = fieldsOf(request).map(([name, value]) => `${name}: ${inTypeScript(value)}`);
  return `import { FeedloomClient } from 'feedloom-client';

const client = new FeedloomClient({
  url: ${inTypeScript(request.address)},
  key: process.env.${KEY_VARIABLE},
});

const page = await client.${METHODS[type] ?? type}({ ${fields.join(', ')} });
console.log(page.body.map(({ item_id }) => item_id));
`;
}

function pythonOf(request: PageRequest): string {
  return `import json, os, urllib.request

URL = ${JSON.stringify(urlOf(request))}
HEADERS = {
    "authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}",
    "content-type": "application/json",
}

body = ${bodyOf(request)}
request = urllib.request.Request(URL, json.dumps(body).encode(), HEADERS)
with urllib.request.urlopen(request) as answer:
    page = json.load(answer)
print([item["item_id"] for item in page["body"]])
`;
}
