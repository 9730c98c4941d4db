import { afterAll, expect, test } from 'bun:test';
import { killAll } from '../simulation/support/service-process.ts';
import { Connections } from './support/connections.ts';
import { ATTACKER, Stage } from './support/stage.ts';

/** Lasting effects of attacks: memory, files, and the duration of the next start. */

afterAll(killAll);

const MIB = 1024 * 1024;
/** Allowance for memory that the runtime frees at any time. */
const MEMORY_SLACK_BYTES = 100 * MIB;
const DISK_SLACK_BYTES = MIB;
/** A start takes some hundred milliseconds, most of it for loading the program. */
const START_SLACK_MS = 1_000;
const ROUNDS = 20;
const CONNECTIONS = 50;

/** Runs a number of rounds and ends. */
type Load = (stage: Stage) => Promise<void>;

const POPULAR = '/v2/farcaster/casts/feed/popular';
const INTERACTIONS = '/v2/farcaster/interactions';

function rounds(send: (stage: Stage, round: number) => Promise<unknown>): Load {
  return async (stage) => {
    for (let round = 0; round < ROUNDS; round++) await send(stage, round);
  };
}

/** A request in bytes. */
function text(body: string, declared_bytes = body.length): string {
  const head = [
    `POST ${POPULAR} HTTP/1.1`,
    'host: x',
    `authorization: ${ATTACKER.authorization}`,
    'content-type: application/json',
    `content-length: ${declared_bytes}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Opens connections, sends a request on each, waits for the answer and closes them. */
function connections(request: string, { answered, reads }: { answered: boolean; reads: boolean }): Load {
  return async (stage) => {
    using opened = new Connections(stage.port, reads);
    await opened.add(CONNECTIONS, request);
    if (answered) await opened.answered(CONNECTIONS);
  };
}

const PAGE = text('{"top_k":25}');
const likes = (round: number, of: (at: number) => object) =>
  Array.from({ length: 1_000 }, (_, at) => ({ event_type: 'like', ...of(1_000 * round + at) }));

/** The attack, and the same number of harmless requests. */
const ATTACKS: [string, Load, Load][] = [
  [
    'bodies of which half comes',
    connections(text('{"top_k":', 12), { answered: false, reads: true }),
    connections(PAGE, { answered: true, reads: true }),
  ],
  [
    'answers that are not read',
    connections(PAGE, { answered: true, reads: false }),
    connections(PAGE, { answered: true, reads: true }),
  ],
  [
    'records that are all refused',
    rounds((stage, round) =>
      stage.post(
        INTERACTIONS,
        likes(round, () => ({ user_id: 'x'.repeat(300) })),
      ),
    ),
    rounds((stage, round) =>
      stage.post(
        INTERACTIONS,
        likes(round, (at) => ({ user_id: `u${at}`, item_id: 'item-0' })),
      ),
    ),
  ],
  [
    'old events of one item',
    rounds((stage, round) =>
      stage.post(
        INTERACTIONS,
        likes(round, (at) => ({ user_id: `u${at}`, item_id: 'item-0', timestamp: 1_000_000 - at })),
      ),
    ),
    rounds((stage, round) =>
      stage.post(
        INTERACTIONS,
        likes(round, (at) => ({ user_id: `u${at}`, item_id: 'item-0', timestamp: 1_000_000 + at })),
      ),
    ),
  ],
  [
    'pages that are refused as too costly or wrong',
    rounds((stage) => stage.post(POPULAR, { filters: { channels: Array(5_000).fill('x') }, top_k: 501 })),
    rounds((stage) => stage.post(POPULAR, { top_k: 25 })),
  ],
];

async function leftBy(load: Load) {
  await using stage = await Stage.open();
  await load(stage);
  // The answer to another account shows that earlier requests were processed.
  expect((await stage.page()).status).toBe(200);
  const memory_bytes = stage.rssBytes();
  const start_ms = await stage.restart();
  return { memory_bytes, disk_bytes: stage.diskBytes(), start_ms };
}

test.each(ATTACKS)(
  '%s leave no more memory, files and start time than harmless requests',
  async (_, attack, control) => {
    const after = await leftBy(attack);
    const harmless = await leftBy(control);
    expect(after.memory_bytes).toBeLessThanOrEqual(harmless.memory_bytes + MEMORY_SLACK_BYTES);
    expect(after.disk_bytes).toBeLessThanOrEqual(1.1 * harmless.disk_bytes + DISK_SLACK_BYTES);
    expect(after.start_ms).toBeLessThanOrEqual(2 * harmless.start_ms + START_SLACK_MS);
  },
);
