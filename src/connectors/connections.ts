import { KindGuard, type TSchema } from '@sinclair/typebox';
import { reasonOf, StartupError } from '../errors.ts';
import type { ConnectorHost } from '../plugin/index.ts';
import { INTEGRATION_MEMBERS, type IntegrationMember } from '../plugin/integration.ts';
import type { OptionsChecker } from '../registry/options.ts';
import type { Registry } from '../registry/registry.ts';
import { readMaps } from '../registry/table-maps.ts';
import { secretsOfUrl } from '../shown-url.ts';

/** A connector that the operator configured, with its options checked. */
export interface Connection {
  /** The id of the connector, and its label if it has one: `bluesky` or `bluesky#likes`. The cursor belongs to it. */
  name: string;
  silence_seconds: number;
  /** Texts of its options that must not be shown. */
  secrets: readonly string[];
  /** Makes the function of a run. Call it once all plugins are set up. @throws StartupError `bad_setting` */
  prepare(): (host: ConnectorHost) => Promise<void>;
}

const SILENCE_SECONDS_DEFAULT = 300;
/** What a label may be. */
const LABEL = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Reads the setting `connect`: entries such as `bluesky?url=ws://127.0.0.1:6008/subscribe` or `bluesky#likes?…`.
 * @throws StartupError `bad_setting` that names what is wrong and what is allowed
 */
export function readConnections(entries: readonly string[], registry: Registry): Connection[] {
  const connections = entries.map((entry) => readConnection(entry, registry));
  requireDistinct(connections, bad, (name) => {
    const [id] = name.split('#');
    return `give each a label of its own, such as ${id}#one and ${id}#two`;
  });
  return connections;
}

function readConnection(entry: string, registry: Registry): Connection {
  const { given: name, query, registered } = readEntry(entry, 'connect', registry, bad);
  const options = readOptions(query, registered.options, (reason) => bad(name, reason));
  const { silence_seconds = SILENCE_SECONDS_DEFAULT, connect } = registered.extension;
  return {
    name,
    silence_seconds,
    secrets: secretsIn(query, registered.options),
    prepare: () => prepared(name, bad, () => connect(options, { readMaps })),
  };
}

type Refuse = (name: string, reason: string) => StartupError;

/** An entry of a setting, `id#label?options`, with the extension that it names. @param bad makes its errors */
export function readEntry<M extends IntegrationMember>(
  entry: string,
  member: M,
  registry: Registry,
  bad: Refuse,
) {
  const at = entry.indexOf('?');
  const given = at < 0 ? entry : entry.slice(0, at);
  const [id, label, ...rest] = given.split('#');
  const integrations = registry.integrations(member);
  const registered = integrations.get(id);
  if (registered === undefined)
    throw bad(
      shownName(given),
      `is no ${INTEGRATION_MEMBERS[member]}; allowed are ${[...integrations.keys()].join(', ')}`,
    );
  if (rest.length > 0 || (label !== undefined && !LABEL.test(label)))
    throw bad(
      shownName(given),
      'has a bad label; allowed are 1 to 64 ASCII letters, digits, - or _ after one #',
    );
  const query = new URLSearchParams(at < 0 ? '' : entry.slice(at + 1));
  return { given, id, label, query, registered };
}

export function requireDistinct(
  entries: readonly { name: string }[],
  bad: Refuse,
  advice: (name: string) => string,
): void {
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw bad(twice, `is configured twice; ${advice(twice)}`);
}

/** Shorter parts of URLs, and shorter options, occur in any text. */
const URL_PART_LENGTH_MIN = 4;
const KEY_LENGTH_MIN = 8;

/** The parts of URLs among the options, and other options that may be keys: those without `is_secret: false` in the schema. */
function secretsIn(query: URLSearchParams, { schema }: OptionsChecker): string[] {
  const given = [...query].filter(([option]) => schema.properties?.[option]?.is_secret !== false);
  return given.flatMap(([, text]) => {
    const [parts, length_min] = URL.canParse(text)
      ? [secretsOfUrl(text), URL_PART_LENGTH_MIN]
      : [[text], KEY_LENGTH_MIN];
    return parts.filter((part) => part.length >= length_min);
  });
}

/** The name in an entry, without options that were added without a `?`, because they may be secret. */
function shownName(name: string): string {
  return name.replace(/[&=].*$/s, '…');
}

export function prepared<T>(name: string, bad: Refuse, prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    throw bad(name, `cannot be started: ${reasonOf(error)}`);
  }
}

/** Reads options from a query string. @param bad makes the error for an option that is unknown or wrong */
export function readOptions(
  parameters: URLSearchParams,
  options: OptionsChecker,
  bad: (reason: string) => StartupError,
): unknown {
  const properties: Record<string, TSchema> = options.schema.properties ?? {};
  const known = Object.keys(properties).join(', ') || 'none';
  const values: Record<string, unknown> = {};
  for (const option of new Set(parameters.keys())) {
    if (!Object.hasOwn(properties, option)) throw bad(`has no option '${option}'; its options are ${known}`);
    values[option] = optionValue(properties[option], parameters.getAll(option));
  }
  const checked = options.check(values, '');
  if (checked.ok) return checked.options;
  const [{ path, message }] = checked.faults;
  throw bad(`option ${path.slice(1) || 'set'}: ${message}`);
}

/** The value of an option from its texts. A text that does not fit its type stays, and the schema rejects it. */
function optionValue(schema: TSchema, texts: readonly string[]): unknown {
  if (KindGuard.IsArray(schema)) {
    const entries = texts.flatMap((text) => text.split(',')).filter((text) => text !== '');
    return entries.map((entry) => optionValue(schema.items, [entry]));
  }
  if (texts.length > 1) return texts;
  const [text] = texts;
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const is_number = schema.type === 'number' || schema.type === 'integer';
  return is_number && text.trim() !== '' && !Number.isNaN(Number(text)) ? Number(text) : text;
}

function bad(name: string, reason: string): StartupError {
  return new StartupError('bad_setting', `--connect (FEEDLOOM_CONNECT): '${name}' ${reason}`);
}
