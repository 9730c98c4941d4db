import { reasonOf } from '../errors.ts';
import { LIMITS } from '../limits.ts';
import { DEPENDS_ON } from '../plugin/depends-on.ts';
import { FEED_TYPES, PLUGIN_API, type Plugin } from '../plugin/index.ts';
import { parseRead, READ_FORMS } from '../plugin/reads.ts';
import { textOf } from '../plugin/text-of.ts';
import { signatureProblem } from '../plugin/webhook.ts';
import { changesSince1 } from './api-changes.ts';
import { checkOptionsSchema } from './check-options.ts';
import { KINDS, type Kind } from './kinds.ts';
import { RefusedPlugin } from './refused-plugin.ts';

/** Required members of each kind besides `summary`, `options` and its function. */
const EXTRA_FIELDS: Record<Kind, Record<string, readonly string[]>> = {
  filters: { kind: ['inclusion', 'exclusion'] },
  scoring_functions: {},
  visibility_rules: {},
  signals: {},
  promotion_strategies: {},
  integrations: {},
};

/** Optional members of each kind that are not functions. */
const OPTIONAL_FIELDS: Record<Kind, readonly string[]> = {
  filters: ['reads', 'depends_on'],
  scoring_functions: ['reads', 'feeds', 'ranked_by', 'candidate_limit'],
  visibility_rules: ['reads'],
  signals: ['reads', 'depends_on', 'drift_seconds', 'proposes'],
  promotion_strategies: ['within_page'],
  integrations: ['silence_seconds', 'signature'],
};

const OPTIONAL_FUNCTIONS: Record<Kind, readonly string[]> = {
  filters: ['postings', 'named_values'],
  scoring_functions: ['ceiling', 'parts', 'signals'],
  visibility_rules: ['allows'],
  signals: ['compile', 'reaches'],
  promotion_strategies: [],
  integrations: ['connect', 'receive', 'describe'],
};

/** Kinds that never get a request, so they cannot read fields. */
const WITHOUT_REQUEST: readonly Kind[] = ['promotion_strategies', 'integrations'];

/** The function that every extension of a kind has. Signals and integrations have one of several. */
function mainFunction(kind: Kind): 'compile' | undefined {
  return kind === 'signals' || kind === 'integrations' ? undefined : 'compile';
}

const NAMESPACE = /^[a-z0-9][a-z0-9-]*$/i;
const NAME = /^[a-z0-9][a-z0-9_-]*$/i;
const VERSIONED_NAME = /^[a-z0-9][a-z0-9_-]*_v\d+\.\d+\.\d+$/i;

/**
 * Checks the default export of a plugin file before any of its code runs.
 *
 * Registers nothing, so a rejected plugin leaves nothing behind.
 * @param owner the source that has registered an id, or undefined
 * @throws RefusedPlugin
 */
export function checkPlugin(
  candidate: unknown,
  source: string,
  owner: (kind: Kind, id: string) => string | undefined,
): Plugin {
  try {
    return checked(candidate, source, owner);
  } catch (error) {
    if (error instanceof RefusedPlugin) throw error;
    // For example, one of its getters threw.
    throw malformed(source, `it cannot be read (${reasonOf(error)})`);
  }
}

function checked(
  candidate: unknown,
  source: string,
  owner: (kind: Kind, id: string) => string | undefined,
): Plugin {
  assertShape(candidate, source);
  const plugin: Plugin = candidate;
  let extensions = 0;
  for (const kind of KINDS) {
    const added: unknown = plugin[kind];
    if (added === undefined) continue;
    if (!isRecord(added)) throw malformed(source, `${kind} must be an object from id to extension`);
    for (const [id, extension] of Object.entries(added)) {
      checkId(kind, id, plugin.meta.name, source);
      const taken = owner(kind, id);
      if (taken !== undefined) {
        throw new RefusedPlugin(
          'plugin_duplicate_id',
          source,
          `${id} is already registered by ${taken}`,
          'Give it another name or version.',
        );
      }
      checkExtension(kind, id, extension, source);
      extensions++;
    }
  }
  checkHooks(plugin, source);
  checkMembers(plugin, "it has '", ['meta', 'setup', 'dispose', ...KINDS], source);
  if (extensions === 0) throw malformed(source, `it has no extensions; it may have ${KINDS.join(', ')}`);
  return plugin;
}

function assertShape(candidate: unknown, source: string): asserts candidate is Plugin {
  if (!isRecord(candidate)) throw malformed(source, 'the default export must be an object');
  const { meta } = candidate;
  if (!isRecord(meta) || typeof meta.name !== 'string' || typeof meta.version !== 'string') {
    throw malformed(source, 'meta must have name and version as text, and api');
  }
  if (meta.api !== PLUGIN_API) {
    throw new RefusedPlugin(
      'plugin_api_mismatch',
      source,
      `it was written for contract ${textOf(meta.api)}, this is ${PLUGIN_API}`,
      meta.api === 1 ? changesSince1(candidate) : 'Use a version of the plugin for this contract.',
    );
  }
  if (!NAMESPACE.test(meta.name)) {
    throw new RefusedPlugin(
      'plugin_bad_id',
      source,
      `meta.name '${meta.name}' must be letters, digits and -`,
      'Rename it.',
    );
  }
}

function checkId(kind: Kind, id: string, namespace: string, source: string): void {
  const form =
    kind === 'filters' || kind === 'signals' ? `${namespace}/<name>` : `${namespace}/<name>_v<x>.<y>.<z>`;
  const [owner, name, ...rest] = id.split('/');
  const pattern = kind === 'filters' || kind === 'signals' ? NAME : VERSIONED_NAME;
  if (owner === namespace && rest.length === 0 && pattern.test(name ?? '')) return;
  throw new RefusedPlugin(
    'plugin_bad_id',
    source,
    `${kind} id '${id}' is not of the form ${form}`,
    `Write it as ${form}.`,
  );
}

function checkExtension(kind: Kind, id: string, extension: unknown, source: string): void {
  if (!isRecord(extension)) throw malformed(source, `${id} must be an object`);
  if (typeof extension.summary !== 'string') throw malformed(source, `${id} has no summary`);
  const main = mainFunction(kind);
  if (main !== undefined && typeof extension[main] !== 'function')
    throw malformed(source, `${id} has no ${main} function`);
  for (const [field, allowed] of Object.entries(EXTRA_FIELDS[kind])) {
    if (!allowed.includes(textOf(extension[field]))) {
      throw malformed(source, `${id}.${field} must be ${allowed.join(' or ')}`);
    }
  }
  for (const field of OPTIONAL_FUNCTIONS[kind]) {
    const value = extension[field];
    if (value !== undefined && typeof value !== 'function') {
      throw malformed(source, `${id}.${field} must be a function`);
    }
  }
  checkReads(kind, id, extension.reads, source);
  if (kind === 'integrations') checkIntegration(id, extension, source);
  checkMembers(extension, `${id} has '`, membersOf(kind), source);
  const { feeds, candidate_limit } = extension;
  if (extension.within_page !== undefined && typeof extension.within_page !== 'boolean')
    throw malformed(source, `${id}.within_page must be true or false`);
  if (extension.ranked_by !== undefined && typeof extension.ranked_by !== 'string')
    throw malformed(source, `${id}.ranked_by must be the id of a signal`);
  checkDependsOn(kind, id, extension, source);
  for (const field of ['drift_seconds', 'silence_seconds']) {
    const seconds = extension[field];
    if (seconds !== undefined && !(typeof seconds === 'number' && seconds > 0))
      throw malformed(source, `${id}.${field} must be a number above 0`);
  }
  if (candidate_limit !== undefined && !isCandidateLimit(candidate_limit)) {
    const { candidate_limit_min, candidate_limit_max } = LIMITS;
    const range = `from ${candidate_limit_min} to ${candidate_limit_max}`;
    throw malformed(source, `${id}.candidate_limit must be an integer ${range}`);
  }
  if (feeds !== undefined && !(Array.isArray(feeds) && feeds.every((feed) => FEED_TYPES.includes(feed)))) {
    throw malformed(source, `${id}.feeds must be a list of ${FEED_TYPES.join(', ')}`);
  }
  const always_default = kind === 'signals' || extension.describe !== undefined;
  checkOptionsSchema(kind, id, extension.options, always_default, source);
}

const PER_ITEM_MAX = 100;

function checkDependsOn(kind: Kind, id: string, extension: Record<string, unknown>, source: string): void {
  const { depends_on, compile, reaches, proposes } = extension;
  const is_function = kind === 'filters' && typeof depends_on === 'function';
  if (depends_on !== undefined && !is_function && !DEPENDS_ON.some((inputs) => inputs === depends_on))
    throw malformed(source, `${id}.depends_on must be ${DEPENDS_ON.join(' or ')}`);
  if (kind !== 'signals') return;
  if ((compile === undefined) === (reaches === undefined))
    throw malformed(source, `${id} must have either compile or reaches`);
  const is_of_viewer = (depends_on ?? 'viewer') === 'viewer';
  if (reaches !== undefined && !is_of_viewer)
    throw malformed(source, `${id}.depends_on must be viewer, because it has reaches`);
  if (proposes === undefined) return;
  if (reaches === undefined && is_of_viewer)
    throw malformed(source, `${id}.proposes needs reaches, or a depends_on that does not include the viewer`);
  if (!isRecord(proposes))
    throw malformed(source, `${id}.proposes must be an object such as { per_item: 1 }`);
  checkMembers(proposes, `${id}.proposes has '`, ['per_item', 'always', 'name'], source);
  const { per_item, always, name } = proposes;
  if (!(typeof per_item === 'number' && per_item > 0 && per_item <= PER_ITEM_MAX))
    throw malformed(source, `${id}.proposes.per_item must be a number above 0, up to ${PER_ITEM_MAX}`);
  if (always !== undefined && typeof always !== 'boolean')
    throw malformed(source, `${id}.proposes.always must be true or false`);
  if (name !== undefined && (typeof name !== 'string' || name === ''))
    throw malformed(source, `${id}.proposes.name must be a text`);
}

function checkIntegration(id: string, extension: Record<string, unknown>, source: string): void {
  const { connect, receive, describe, silence_seconds, signature } = extension;
  if (connect === undefined && receive === undefined && describe === undefined)
    throw malformed(source, `${id} must have connect, receive or describe`);
  if (silence_seconds !== undefined && connect === undefined)
    throw malformed(source, `${id}.silence_seconds needs connect`);
  if (receive === undefined) {
    if (signature !== undefined) throw malformed(source, `${id}.signature needs receive`);
    return;
  }
  const problem = signatureProblem(signature);
  if (problem !== undefined) throw malformed(source, `${id}.signature ${problem}`);
}

function membersOf(kind: Kind): string[] {
  const own = [...Object.keys(EXTRA_FIELDS[kind]), ...OPTIONAL_FIELDS[kind], ...OPTIONAL_FUNCTIONS[kind]];
  const main = mainFunction(kind);
  return ['summary', 'options', ...(main === undefined ? [] : [main]), ...own];
}

function checkHooks(plugin: Plugin, source: string): void {
  for (const field of ['setup', 'dispose'] as const) {
    if (plugin[field] !== undefined && typeof plugin[field] !== 'function') {
      throw malformed(source, `${field} must be a function`);
    }
  }
}

/** Rejects unknown members, since a misspelt one would be ignored. @param whose the start of the error text */
function checkMembers(owner: object, whose: string, members: readonly string[], source: string): void {
  const unknown = Object.keys(owner).find((member) => !members.includes(member));
  if (unknown === undefined) return;
  throw malformed(source, `${whose}${unknown}', which is unknown; allowed are ${members.join(', ')}`);
}

function checkReads(kind: Kind, id: string, reads: unknown, source: string): void {
  if (reads === undefined) return;
  if (WITHOUT_REQUEST.includes(kind))
    throw malformed(source, `${id} cannot have reads: ${kind} get no request`);
  if (!Array.isArray(reads)) throw malformed(source, `${id}.reads must be a list of ${READ_FORMS}`);
  const wrong = reads.findIndex((read) => parseRead(read) === undefined);
  if (wrong < 0) return;
  throw malformed(source, `${id}.reads has '${textOf(reads[wrong])}'; it may have ${READ_FORMS}`);
}

function malformed(source: string, reason: string): RefusedPlugin {
  return new RefusedPlugin(
    'plugin_malformed',
    source,
    reason,
    "Default-export definePlugin({ meta, … }) of 'feedloom/plugin'.",
  );
}

function isCandidateLimit(value: unknown): boolean {
  const { candidate_limit_min, candidate_limit_max } = LIMITS;
  return (
    Number.isInteger(value) && Number(value) >= candidate_limit_min && Number(value) <= candidate_limit_max
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
