import type { Integration } from '../../plugin/index.ts';
import { INTEGRATION_MEMBERS } from '../../plugin/integration.ts';
import { signatureProblem } from '../../plugin/webhook.ts';
import type { KindData } from '../kind-data.ts';
import { FUNCTION, SECONDS } from '../member-checks.ts';
import { NO_OPTIONS } from '../template.ts';

export const integrations: KindData<Integration> = {
  title: 'integration',
  versioned: true,
  members: {
    silence_seconds: SECONDS,
    signature: () => undefined,
    connect: FUNCTION,
    receive: FUNCTION,
    describe: FUNCTION,
  },
  problem({ connect, receive, describe, silence_seconds, signature }) {
    if (connect === undefined && receive === undefined && describe === undefined)
      return ' must have connect, receive or describe';
    if (silence_seconds !== undefined && connect === undefined) return '.silence_seconds needs connect';
    if (receive === undefined) return signature === undefined ? undefined : '.signature needs receive';
    const problem = signatureProblem(signature);
    return problem && `.signature ${problem}`;
  },
  hasDefaultsOnly: ({ describe }) => describe !== undefined,
  usedBy(id, { connect, receive, describe }) {
    const settings = [
      connect && `the setting \`--connect '${id}?…'\`, with its options as a query string`,
      receive && `the setting \`--webhook '${id}?secret_env=…'\`, with its options as a query string`,
      describe && 'the setting `FEEDLOOM_METADATA_PROVIDER`',
    ];
    return settings.filter(Boolean).join(', and ');
  },
  templates: {
    metadata: {
      title: INTEGRATION_MEMBERS.describe,
      imports: ['type Metadata'],
      body: `
summary: 'Names of a few tokens.',
${NO_OPTIONS}
describe: () => {
  const known = new Map<string, Metadata>([['base.0x1', { name: 'One' }]]);
  // For each id, in the same order: its metadata; {} if it is unknown.
  return async (item_ids) => item_ids.map((id) => known.get(id) ?? {});
},`,
      tests: `
cases: [
  {
    name: 'knows some',
    item_ids: ['base.0x0', 'base.0x1'],
    expect: [{}, { name: 'One' }],
  },
],`,
    },
    connector: {
      title: INTEGRATION_MEMBERS.connect,
      imports: ['fetchBounded'],
      body: `
summary: 'The posts of a JSON list, read once.',
options: Type.Object(
  { url: Type.String({ minLength: 1, description: 'the address of the list' }) },
  { additionalProperties: false, examples: [{ url: 'https://forum.example/posts.json' }] },
),
// Runs again after a failure, from the stored cursor. Here the cursor is the number of posts read so far.
connect:
  ({ url }) =>
  async (host) => {
    // Ends for an answer that is late, too long, or a redirect to another address.
    const bounds = { timeout_ms: 30_000, bytes_max: 1_000_000 };
    const answer = await fetchBounded(url, { ...bounds, signal: host.signal });
    if (!answer.ok) throw new Error(\`the list answered \${answer.status}\`);
    const posts = (await answer.json()) as { id: string; author: string; text: string; time: number }[];
    for (let read = Number(host.cursor ?? 0); read < posts.length; read++) {
      const { id, author, text, time } = posts[read];
      if (typeof id !== 'string') {
        host.log.warn(\`post \${read} has no id and is skipped\`);
        continue;
      }
      const record = { item_id: id, author_id: author, text, created_at: time };
      // Stores the record and the cursor together. Await it, to read no faster than the store.
      await host.emit([{ kind: 'item', record }], String(read + 1));
    }
  },`,
      tests: `
cases: [
  {
    name: 'reads all posts, and skips one without an id',
    options: {
      url: \`data:application/json,\${encodeURIComponent(
        JSON.stringify([
          { id: 'a', author: 'ann', text: 'one', time: 1700000000 },
          { author: 'ann', text: 'two', time: 1700000001 },
          { id: 'c', author: 'ben', text: 'three', time: 1700000002 },
        ]),
      )}\`,
    },
    open: () => ({}),
    expect: [
      { kind: 'item', record: { item_id: 'a', author_id: 'ann', text: 'one', created_at: 1700000000 } },
      { kind: 'item', record: { item_id: 'c', author_id: 'ben', text: 'three', created_at: 1700000002 } },
    ],
    warns: ['post 1 has no id'],
  },
],
refuses: [{ url: 5 }],`,
    },
    webhook: {
      title: INTEGRATION_MEMBERS.receive,
      body: `
summary: 'Posts that a forum announces.',
${NO_OPTIONS}
// The header that carries the HMAC of the raw body. The service verifies it.
signature: { header: 'X-Forum-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
// Runs once per delivery: its JSON becomes records. A throw answers 400 with the message.
receive: () => (delivery) => {
  const { post } = delivery as { post?: { id: string; author: string; text: string; time: number } };
  if (post === undefined) throw new Error('the delivery has no post');
  const record = { item_id: post.id, author_id: post.author, text: post.text, created_at: post.time };
  return [{ kind: 'item', record }];
},`,
      tests: `
cases: [
  {
    name: 'stores a post',
    delivery: { post: { id: 'a', author: 'ann', text: 'one', time: 1700000000 } },
    expect: [
      { kind: 'item', record: { item_id: 'a', author_id: 'ann', text: 'one', created_at: 1700000000 } },
    ],
  },
  {
    name: 'refuses a delivery without a post',
    delivery: {},
    expect: { error: 'the delivery has no post' },
  },
],`,
    },
  },
};
