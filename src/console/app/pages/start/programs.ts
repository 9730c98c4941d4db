import type { Language } from '../../ui/code-choice.tsx';

export interface Target {
  /** Address of the service without a slash at its end. */
  address: string;
  /** The time of the first items, ISO 8601. */
  now: string;
}

/** Stands where the reader puts a key. */
export const KEY_PLACEHOLDER = 'YOUR_KEY';

/** Programs that send two users, two items and a like, and ask for a page. */
export function programsFor(target: Target): Record<Language, string> {
  return {
    curl: curlProgram(target),
    TypeScript: typeScriptProgram(target),
    Python: pythonProgram(target),
  };
}

function curlProgram({ address, now }: Target): string {
  return `URL='${address}/v2/community'
send() {
  curl -s "$URL/$1" -H 'authorization: Bearer ${KEY_PLACEHOLDER}' -H 'content-type: application/json' -d "$2"
  echo
}

send users '[{"user_id": "ann", "username": "ann"}, {"user_id": "bob", "username": "bob"}]'
send items '[
  {"item_id": "post-1", "author_id": "ann", "created_at": "${now}", "text": "Hello"},
  {"item_id": "post-2", "author_id": "ann", "created_at": "${now}", "text": "Good night"}
]'
send interactions '{"user_id": "bob", "item_id": "post-1", "event_type": "like"}'
send feeds/for-you '{"user_id": "bob"}'
`;
}

function typeScriptProgram({ address, now }: Target): string {
  return `import { FeedloomClient } from 'feedloom-client';

const client = new FeedloomClient({
  url: '${address}',
  key: '${KEY_PLACEHOLDER}',
});

await client.ingest('users', [
  { user_id: 'ann', username: 'ann' },
  { user_id: 'bob', username: 'bob' },
]);
await client.ingest('items', [
  { item_id: 'post-1', author_id: 'ann', created_at: '${now}', text: 'Hello' },
  { item_id: 'post-2', author_id: 'ann', created_at: '${now}', text: 'Good night' },
]);
await client.ingest('interactions', { user_id: 'bob', item_id: 'post-1', event_type: 'like' });

const page = await client.forYou({ user_id: 'bob' });
console.log(page.body.map(({ item_id }) => item_id));
`;
}

function pythonProgram({ address, now }: Target): string {
  return `import json, urllib.request

URL = "${address}/v2/community"
HEADERS = {"authorization": "Bearer ${KEY_PLACEHOLDER}", "content-type": "application/json"}


def send(path, body):
    request = urllib.request.Request(f"{URL}/{path}", json.dumps(body).encode(), HEADERS)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


send("users", [{"user_id": "ann", "username": "ann"}, {"user_id": "bob", "username": "bob"}])
send("items", [
    {"item_id": "post-1", "author_id": "ann", "created_at": "${now}", "text": "Hello"},
    {"item_id": "post-2", "author_id": "ann", "created_at": "${now}", "text": "Good night"},
])
send("interactions", {"user_id": "bob", "item_id": "post-1", "event_type": "like"})

page = send("feeds/for-you", {"user_id": "bob"})
print([item["item_id"] for item in page["body"]])
`;
}
