/** Members of a plugin of contract 1 that contract 2 does not have, and what they become. */
const MEMBERS: Readonly<Record<string, string>> = {
  connectors: "each of connectors is one of integrations, with 'connect' instead of 'start'",
  webhooks: "each of webhooks is one of integrations, with 'receive' instead of 'compile'",
  metadata_providers:
    "each of metadata_providers is one of integrations, with 'describe' instead of 'compile'",
  candidate_sources: "each of candidate_sources is a signal with 'reaches' and 'proposes: { per_item: 1 }'",
};

/** What the author of a plugin of contract 1 has to change. */
export function changesSince1(plugin: object): string {
  const moved = Object.keys(MEMBERS).filter((member) => member in plugin);
  const changes = [
    ...moved.map((member) => MEMBERS[member]),
    'requests are grouped: request.item.author(item), request.user.following(user), request.viewer.has_seen(item)',
    "'text' of reads is 'item.text', read with request.item.field(item, 'text')",
    "depends_on is 'content', 'item', 'time' or 'viewer' in filters and signals",
  ];
  return `Set meta.api to PLUGIN_API, and change it: ${changes.join('; ')}.`;
}
