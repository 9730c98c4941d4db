import { reasonOf } from '../errors.ts';
import { PLUGIN_API } from '../plugin/api.ts';
import type { Plugin } from '../plugin/index.ts';
import { textOf } from '../plugin/text-of.ts';
import { changesSince1, mismatch, refusalOfMembers } from './api-changes.ts';
import { checkOptionsSchema } from './check-options.ts';
import type { Unchecked } from './kind-data.ts';
import { getsRequest, KIND_DATA, KINDS, type Kind } from './kinds.ts';
import { isRecord, type MemberCheck, unknownMember } from './member-checks.ts';
import { RefusedPlugin } from './refused-plugin.ts';

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
  const unknown = unknownMember(plugin, ['meta', 'setup', 'dispose', ...KINDS]);
  if (unknown !== undefined) throw malformed(source, `it ${unknown}`);
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
    const is_newer = typeof meta.api === 'number' && meta.api > PLUGIN_API;
    throw mismatch(
      source,
      `it was written for contract ${textOf(meta.api)}`,
      is_newer ? 'Use a version of the plugin for this contract.' : changesSince1(candidate),
    );
  }
  const older = refusalOfMembers(candidate, source);
  if (older !== undefined) throw older;
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
  const { versioned } = KIND_DATA[kind];
  const form = `${namespace}/<name>${versioned ? '_v<x>.<y>.<z>' : ''}`;
  const [owner, name = '', ...rest] = id.split('/');
  if (owner === namespace && rest.length === 0 && (versioned ? VERSIONED_NAME : NAME).test(name)) return;
  throw new RefusedPlugin(
    'plugin_bad_id',
    source,
    `${kind} id '${id}' is not of the form ${form}`,
    `Write it as ${form}.`,
  );
}

function checkExtension(kind: Kind, id: string, extension: unknown, source: string): void {
  if (!isRecord(extension)) throw malformed(source, `${id} must be an object`);
  const problem = problemOf(kind, extension);
  if (problem !== undefined) throw malformed(source, `${id}${problem}`);
  checkOptionsSchema(kind, id, extension, source);
}

/** The fault of an extension's members, as the text after its id; undefined if there is none. */
function problemOf(kind: Kind, extension: Unchecked): string | undefined {
  if (typeof extension.summary !== 'string') return ' has no summary';
  if (extension.reads !== undefined && !getsRequest(kind))
    return ` cannot have reads: ${kind} get no request`;
  const { members, problem } = KIND_DATA[kind];
  for (const [name, check] of Object.entries<MemberCheck>(members)) {
    const fault = check(extension[name], name);
    if (fault !== undefined) return fault;
  }
  const unknown = unknownMember(extension, ['summary', 'options', ...Object.keys(members)]);
  return unknown === undefined ? problem?.(extension) : ` ${unknown}`;
}

function checkHooks(plugin: Plugin, source: string): void {
  for (const field of ['setup', 'dispose'] as const) {
    if (plugin[field] !== undefined && typeof plugin[field] !== 'function') {
      throw malformed(source, `${field} must be a function`);
    }
  }
}

function malformed(source: string, reason: string): RefusedPlugin {
  return new RefusedPlugin(
    'plugin_malformed',
    source,
    reason,
    "Default-export definePlugin({ meta, … }) of 'feedloom/plugin'.",
  );
}
