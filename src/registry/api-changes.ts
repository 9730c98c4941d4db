import { PLUGIN_API } from '../plugin/api.ts';
import { RefusedPlugin } from './refused-plugin.ts';

/** Members of a plugin of contract 1 that contract 2 does not have, and what they become. */
const MEMBERS: Readonly<Record<string, string>> = {
  connectors: "each of connectors is one of integrations, with 'connect' instead of 'start'",
  webhooks: "each of webhooks is one of integrations, with 'receive' instead of 'compile'",
  metadata_providers:
    "each of metadata_providers is one of integrations, with 'describe' instead of 'compile'",
  candidate_sources: "each of candidate_sources is a signal with 'reaches' and 'proposes: { per_item: 1 }'",
};

/** Exports of contract 1 that contract 2 does not have, and what they become. */
const EXPORTS: Readonly<Record<string, string>> = {
  bestOf: "a signal has 'reaches' instead of bestOf",
  defineConnector: MEMBERS.connectors,
  defineWebhook: MEMBERS.webhooks,
  defineMetadataProvider: MEMBERS.metadata_providers,
  defineCandidateSource: MEMBERS.candidate_sources,
};

/** The refusal of a default export with members that only contract 1 had. */
export function refusalOfMembers(plugin: object, source: string): RefusedPlugin | undefined {
  const member = Object.keys(MEMBERS).find((each) => each in plugin);
  if (member === undefined) return undefined;
  return mismatch(source, `it has '${member}', which only contract 1 had`, changesSince1(plugin));
}

/** The refusal of a file that could not be imported, if it imports what only contract 1 exported. */
export function refusalOfImport(reason: string, source: string): RefusedPlugin | undefined {
  if (!reason.includes('feedloom/plugin')) return undefined;
  const name = Object.keys(EXPORTS).find((each) => new RegExp(`\\b${each}\\b`).test(reason));
  if (name === undefined) return undefined;
  return mismatch(source, `it imports '${name}', which only contract 1 had`, changes([EXPORTS[name]]));
}

export function mismatch(source: string, reason: string, remedy: string): RefusedPlugin {
  return new RefusedPlugin('plugin_api_mismatch', source, `${reason}, this is ${PLUGIN_API}`, remedy);
}

/** What the author of a plugin of contract 1 has to change. */
export function changesSince1(plugin: object): string {
  return changes(
    Object.keys(MEMBERS)
      .filter((member) => member in plugin)
      .map((member) => MEMBERS[member]),
  );
}

function changes(first: readonly string[]): string {
  const all = [
    ...first,
    'requests are grouped: request.item.author(item), request.user.following(user), request.viewer.has_seen(item)',
    "'text' of reads is 'item.text', read with request.item.field(item, 'text')",
    "depends_on is 'content', 'item', 'time' or 'viewer' in filters and signals",
  ];
  return `Set meta.api to ${PLUGIN_API}, and change it: ${all.join('; ')}.`;
}
