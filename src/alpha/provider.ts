import { StartupError } from '../errors.ts';
import type { Registry } from '../registry/registry.ts';
import type { Provide } from './metadata-fetcher.ts';

export interface ProviderSettings {
  metadata_provider: string;
  metadata_url: string | undefined;
  metadata_key_header: string | undefined;
  metadata_key: string | undefined;
}

const ITEM_ID = '{item_id}';

/**
 * Opens the metadata provider of the settings.
 *
 * The settings `url`, `key_header` and `key` are passed to any provider with such options.
 * @throws StartupError `bad_setting`
 */
export function openProvider(registry: Registry, settings: ProviderSettings): Provide {
  const { metadata_provider: id, metadata_url: url, metadata_key_header, metadata_key } = settings;
  const providers = registry.integrations('describe');
  const registered = providers.get(id);
  if (registered === undefined) {
    const known = [...providers.keys()].join(', ');
    throw refusal(`there is no metadata provider '${id}'`, `Known are ${known}.`);
  }
  const given = { url, key_header: metadata_key_header, key: metadata_key };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const unusable = set.find(([name]) => !registered.options.has(name));
  if (unusable !== undefined) throw notAnOption(id, unusable[0]);
  const defaults = registered.options.defaults();
  const options = set.length === 0 ? defaults : Object.assign({}, defaults, Object.fromEntries(set));
  const checked = registered.options.check(options, '');
  if (!checked.ok) {
    const [{ path, message }] = checked.faults;
    throw refusal(`the metadata provider '${id}' rejects its options: ${path} ${message}`);
  }
  if (id === 'http') assertUrl(url);
  return registered.extension.describe(checked.options);
}

/**
 * Rejects a setting that the provider does not have.
 *
 * If it were ignored, the setting would seem to have an effect.
 */
function notAnOption(id: string, option: string): StartupError {
  const variable = `FEEDLOOM_METADATA_${option.toUpperCase()}`;
  const flag = `--metadata-${option.replaceAll('_', '-')}`;
  return refusal(
    `the metadata provider '${id}' has no option '${option}', which ${variable} and ${flag} set`,
    'Name the provider that it is for with FEEDLOOM_METADATA_PROVIDER, http for example, or leave it out.',
  );
}

function assertUrl(url: string | undefined): void {
  const parsed = URL.parse(url ?? '');
  const protocols = ['http:', 'https:'];
  if (url?.includes(ITEM_ID) && parsed !== null && protocols.includes(parsed.protocol)) return;
  throw refusal(
    `the metadata provider 'http' needs a URL with ${ITEM_ID} in it`,
    `Set FEEDLOOM_METADATA_URL to something like https://api.example.com/items/${ITEM_ID}.`,
  );
}

function refusal(message: string, remedy?: string): StartupError {
  return new StartupError('bad_setting', message, remedy);
}
