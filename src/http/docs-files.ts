// Imported as files so that the executable contains them.
import changelog from '../../CHANGELOG.md' with { type: 'file' };
import api from '../../docs/api.md' with { type: 'file' };
import architecture from '../../docs/architecture.svg' with { type: 'file' };
import clients from '../../docs/clients.md' with { type: 'file' };
import console_pages from '../../docs/console.md' with { type: 'file' };
import deletions from '../../docs/deletions.md' with { type: 'file' };
import experiments from '../../docs/experiments.md' with { type: 'file' };
import farcaster from '../../docs/farcaster.md' with { type: 'file' };
import feeds from '../../docs/feeds.md' with { type: 'file' };
import compare from '../../docs/images/console-compare-laptop-dark.webp' with { type: 'file' };
import editor_dark from '../../docs/images/console-editor-laptop-dark.webp' with { type: 'file' };
import editor from '../../docs/images/console-editor-laptop-light.webp' with { type: 'file' };
import viewer from '../../docs/images/console-viewer-phone-light.webp' with { type: 'file' };
import why from '../../docs/images/console-why-laptop-light.webp' with { type: 'file' };
import why_on_a_phone from '../../docs/images/console-why-phone-dark.webp' with { type: 'file' };
import importing from '../../docs/import.md' with { type: 'file' };
import ingest from '../../docs/ingest.md' with { type: 'file' };
import install from '../../docs/install.md' with { type: 'file' };
import keys from '../../docs/keys.md' with { type: 'file' };
import maintenance from '../../docs/maintenance.md' with { type: 'file' };
import meaning from '../../docs/meaning.md' with { type: 'file' };
import moderation from '../../docs/moderation.md' with { type: 'file' };
import monitoring from '../../docs/monitoring.md' with { type: 'file' };
import networks from '../../docs/networks.md' with { type: 'file' };
import nodes from '../../docs/nodes.svg' with { type: 'file' };
import operations from '../../docs/operations.md' with { type: 'file' };
import people from '../../docs/people.md' with { type: 'file' };
import performance from '../../docs/performance.md' with { type: 'file' };
import plugin_examples from '../../docs/plugin-examples.md' with { type: 'file' };
import plugins from '../../docs/plugins.md' with { type: 'file' };
import quality from '../../docs/quality.md' with { type: 'file' };
import scaling from '../../docs/scaling.md' with { type: 'file' };
import wallets from '../../docs/wallets.md' with { type: 'file' };
import webhooks from '../../docs/webhooks.md' with { type: 'file' };
import readme from '../../README.md' with { type: 'file' };

/** The documents under `/docs/<name>`, in the order of the list. A name is the file's name in lower case. */
export const DOCS_FILES: ReadonlyMap<string, string> = new Map([
  ['readme', readme],
  ['api', api],
  ['console', console_pages],
  ['clients', clients],
  ['keys', keys],
  ['ingest', ingest],
  ['feeds', feeds],
  ['experiments', experiments],
  ['import', importing],
  ['networks', networks],
  ['farcaster', farcaster],
  ['webhooks', webhooks],
  ['meaning', meaning],
  ['moderation', moderation],
  ['deletions', deletions],
  ['people', people],
  ['wallets', wallets],
  ['install', install],
  ['operations', operations],
  ['monitoring', monitoring],
  ['scaling', scaling],
  ['maintenance', maintenance],
  ['quality', quality],
  ['performance', performance],
  ['plugins', plugins],
  ['plugin-examples', plugin_examples],
  ['changelog', changelog],
]);

/** The pictures in the documents, also under `/docs/<name>`. */
export const DOCS_PICTURES: ReadonlyMap<string, string> = new Map([
  ['architecture.svg', architecture],
  ['nodes.svg', nodes],
  ['console-compare-laptop-dark.webp', compare],
  ['console-editor-laptop-dark.webp', editor_dark],
  ['console-editor-laptop-light.webp', editor],
  ['console-viewer-phone-light.webp', viewer],
  ['console-why-laptop-light.webp', why],
  ['console-why-phone-dark.webp', why_on_a_phone],
]);
