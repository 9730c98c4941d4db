import {
  type ConnectorHost,
  type ConnectorRecord,
  defineIntegration,
  InvalidOptions,
  Type,
} from 'feedloom/plugin';
import { type Directories, didOf, endpointOf } from './bluesky-labels-source.ts';
import { LabelerStream, type Position } from './bluesky-labels-stream.ts';

/** Between two connections to one of several labelers. The delay doubles with each failure. */
const [DELAY_MS, DELAY_MS_MAX] = [1_000, 60_000];
const LABELERS_MAX = 20;
const NAME_LENGTH_MAX = 100;

interface Options extends Directories {
  labelers: string[];
  trusted: string[];
  history: boolean;
}

/** All labelers of a run. They share one cursor, so their records are stored one batch after another, in turns. */
class Labelers {
  /** By the name in the options. */
  private readonly positions: Map<string, Position>;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly host: ConnectorHost,
    private readonly options: Options,
  ) {
    const stored = positionsOf(host.cursor);
    this.positions = new Map(stored.filter(([name]) => options.labelers.includes(name)));
  }

  /** Reads a labeler until the run ends. If there are others, they go on when it fails. */
  async read(name: string): Promise<never> {
    const { host, options } = this;
    let delay_ms = DELAY_MS;
    for (;;) {
      try {
        const did = await didOf(name, options, host.signal);
        const url = await endpointOf(did, options, host.signal);
        const stream = new LabelerStream(host, name, this.positionOf(name, did), (records, position) =>
          this.emit(name, records, position),
        );
        await stream.read(url, () => {
          delay_ms = DELAY_MS;
          host.warning(name);
        });
      } catch (error) {
        if (host.signal.aborted || options.labelers.length === 1) throw error;
        host.warning(name, `${name}: ${error instanceof Error ? error.message : String(error)}`);
        await pause(delay_ms, host.signal);
        delay_ms = Math.min(DELAY_MS_MAX, 2 * delay_ms);
      }
    }
  }

  /** Stores records of a labeler behind those that are being stored. @returns how many the service refused, and why */
  private async emit(
    name: string,
    records: readonly ConnectorRecord[],
    position: Position,
  ): Promise<{ count: number; reason?: string }> {
    const emitted = this.last.then(() => {
      this.positions.set(name, { ...position });
      return this.host.emit(records, textOf(this.positions));
    });
    this.last = emitted.catch(() => {});
    const { rejected_count, rejected } = await emitted;
    return { count: rejected_count, reason: rejected[0]?.detail };
  }

  private positionOf(name: string, did: string): Position {
    const { trusted, history } = this.options;
    const is_trusted = trusted.includes(name);
    const known = this.positions.get(name);
    if (known?.did !== did) return { did, is_trusted, seq: history ? 0 : undefined };
    // What its labels hide depends on it.
    return known.is_trusted === is_trusted ? { ...known } : { did, is_trusted, seq: 0 };
  }
}

function textOf(positions: ReadonlyMap<string, Position>): string {
  const entries = [...positions].map(([name, { did, seq, is_trusted }]) =>
    [name, did, seq, ...(is_trusted ? ['trusted'] : [])].join(' '),
  );
  return entries.join(', ');
}

function positionsOf(cursor = ''): [name: string, Position][] {
  return cursor.split(', ').map((entry) => {
    const [name, did, seq, trusted] = entry.split(' ');
    return [name, { did, seq: Number(seq), is_trusted: trusted !== undefined }];
  });
}

async function pause(delay_ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delay_ms);
  const stop = (): void => resolve();
  signal.addEventListener('abort', stop);
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
}

const Labeler = Type.String({
  pattern: '^(did:[a-z]+:)?[A-Za-z0-9._:%-]+$',
  maxLength: NAME_LENGTH_MAX,
  description: 'a DID or a handle',
});
const Address = (description: string, given: string) =>
  Type.String({ default: given, pattern: '^https?://.', maxLength: 2048, is_secret: false, description });

/**
 * Reads the labels of Bluesky's moderation services (labelers), by the lexicon `com.atproto.label.subscribeLabels`.
 *
 * Signatures are not verified: labels are read from their labeler itself, at the address in its DID document and over
 * TLS. A verification takes a millisecond of the thread that builds pages, for each label.
 */
export default defineIntegration({
  summary: 'Labels of posts and accounts of Bluesky, from labelers that you name.',
  options: Type.Object(
    {
      labelers: Type.Array(Labeler, {
        minItems: 1,
        maxItems: LABELERS_MAX,
        uniqueItems: true,
        is_secret: false,
        description: 'DIDs or handles of labelers',
      }),
      trusted: Type.Array(Labeler, {
        maxItems: LABELERS_MAX,
        default: [],
        is_secret: false,
        description:
          'those of the labelers whose labels !hide, !takedown and !suspend hide posts and accounts from everybody',
      }),
      history: Type.Boolean({
        default: false,
        description: 'whether the first start also reads all earlier labels',
      }),
      plc_url: Address('the directory of did:plc', 'https://plc.directory'),
      handles_url: Address('a service that resolves handles', 'https://public.api.bsky.app'),
    },
    { additionalProperties: false, examples: [{ labelers: ['did:plc:ar7c4by46qjdydhdevvrndac'] }] },
  ),
  silence_seconds: 3600,
  connect: (options) => {
    const unknown = options.trusted.find((name) => !options.labelers.includes(name));
    if (unknown !== undefined) throw new InvalidOptions(`trusted: '${unknown}' is not among the labelers`);
    return async (host) => {
      const labelers = new Labelers(host, options);
      await Promise.all(options.labelers.map((name) => labelers.read(name)));
    };
  },
});
