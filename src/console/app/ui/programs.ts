import type { Language } from './code.tsx';

/** Programs that call the API, as people copy them. */

/** The environment variable from which every program takes the key, so that no program contains one. */
export const KEY_VARIABLE = 'FEEDLOOM_KEY';

type Fields = Readonly<Record<string, string>>;

/** What a program does. */
interface Program {
  /** Address of the service without a slash at its end. */
  address: string;
  /** What it sends first, by the kind of the records. */
  records?: Readonly<Record<string, readonly Fields[]>>;
  /** The page that it asks for then, and whose items it shows. */
  feed_type: string;
  request: Fields;
}

export function programsOf(program: Program): Record<Language, string> {
  return { curl: curlOf(program), TypeScript: typeScriptOf(program), Python: pythonOf(program) };
}

/** How a language writes an object. Texts may have any character, so each language gets them as literals of its own. */
interface Style {
  text: (text: string) => string;
  name: (name: string) => string;
  inside: ' ' | '';
}

/** Python has the same. */
const JSON_STYLE: Style = { text: JSON.stringify, name: JSON.stringify, inside: '' };
const TYPE_SCRIPT: Style = { text: inTypeScript, name: (name) => name, inside: ' ' };

function objectOf(fields: Fields, { text, name, inside }: Style): string {
  const written = Object.entries(fields).map(([key, value]) => `${name(key)}: ${text(value)}`);
  return `{${inside}${written.join(', ')}${inside}}`;
}

/** A record a line. */
function listOf(records: readonly Fields[], style: Style): string {
  return `[\n${records.map((fields) => `  ${objectOf(fields, style)}`).join(',\n')}\n]`;
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function inTypeScript(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function curlOf({ address, records = {}, feed_type, request }: Program): string {
  const calls = Object.entries(records).map(([kind, list]) => [kind, listOf(list, JSON_STYLE)]);
  return [...calls, [`feeds/${feed_type}`, objectOf(request, JSON_STYLE)]]
    .map(
      ([path, body]) => `curl -s ${inShell(`${address}/v2/community/${path}`)} \\
  -H "authorization: Bearer $${KEY_VARIABLE}" \\
  -H 'content-type: application/json' \\
  -d ${inShell(body)}
`,
    )
    .join('\n');
}

const METHODS: Readonly<Record<string, string>> = { 'for-you': 'forYou' };

function typeScriptOf({ address, records = {}, feed_type, request }: Program): string {
  const sent = Object.entries(records).map(
    ([kind, list]) => `await client.ingest('${kind}', ${listOf(list, TYPE_SCRIPT)});\n`,
  );
  return `import { FeedloomClient } from 'feedloom-client';

const client = new FeedloomClient({
  url: ${inTypeScript(address)},
  key: process.env.${KEY_VARIABLE},
});

${sent.join('')}const page = await client.${METHODS[feed_type] ?? feed_type}(${objectOf(request, TYPE_SCRIPT)});
console.log(page.body.map(({ item_id }) => item_id));
`;
}

function pythonOf({ address, records = {}, feed_type, request }: Program): string {
  const sent = Object.entries(records).map(
    ([kind, list]) => `send("${kind}", ${listOf(list, JSON_STYLE)})\n`,
  );
  return `import json, os, urllib.request

URL = ${JSON.stringify(`${address}/v2/community`)}
HEADERS = {
    "authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}",
    "content-type": "application/json",
}


def send(path, body):
    request = urllib.request.Request(f"{URL}/{path}", json.dumps(body).encode(), HEADERS)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


${sent.join('')}page = send("feeds/${feed_type}", ${objectOf(request, JSON_STYLE)})
print([item["item_id"] for item in page["body"]])
`;
}
