import type { Command } from 'commander';
import { feedUriOf } from '../bluesky/generator.ts';
import { generatorRecordOf } from '../bluesky/record.ts';
import { StartupError } from '../errors.ts';
import type { FeedObject } from '../feeds/feed-object.ts';
import { recordKeyOf } from '../feeds/record-keys.ts';
import { DATA_SETTINGS, type Settings } from '../settings.ts';
import { printNotice, printText } from './output.ts';
import { type Tools, withStore } from './tools.ts';

const RECORD_HELP = `
The record goes to stdout as JSON, its URI to stderr. Publish it in the repository of the account that
publishes the feed, under the feed's record key (config.bluesky.rkey): docs/networks.md has the commands.`;

export function addBluesky(feedloom: Command, { withSettings, settingsOf }: Tools): void {
  const bluesky = feedloom.command('bluesky').description('publish saved feeds in the Bluesky app');
  withSettings(
    bluesky
      .command('record')
      .description('print the record that publishes a saved feed, even while the service runs')
      .requiredOption(
        '--feed <id>',
        'the saved feed, such as feed_1; it needs a record key (config.bluesky.rkey)',
      ),
    [...DATA_SETTINGS, 'bluesky_did', 'bluesky_publisher_did'],
  )
    .addHelpText('after', RECORD_HELP)
    .action(({ feed }: { feed: string }, command: Command) => printRecord(settingsOf(command), feed));
}

/** `feedloom bluesky record`. */
async function printRecord(settings: Settings, feed_id: string): Promise<void> {
  const { bluesky_did: did, bluesky_publisher_did } = settings;
  if (did === undefined)
    throw new StartupError(
      'bad_setting',
      'the record names the DID of the service, which is not set',
      'Set FEEDLOOM_BLUESKY_DID or --bluesky-did, for a service at https://feeds.example.com to did:web:feeds.example.com.',
    );
  const { created_at, object } = await storedFeed(settings, feed_id);
  const rkey = recordKeyOf(object);
  if (rkey === undefined)
    throw new StartupError(
      'bad_feed',
      `the feed '${feed_id}' has no record key`,
      'Save it with {"config":{"bluesky":{"rkey":"…"}}} beside its other parameters.',
    );
  const record = generatorRecordOf({ did }, object, created_at);
  printText(`${JSON.stringify(record, undefined, 2)}\n`);
  printNotice(feedUriOf({ did, publisher_did: bluesky_publisher_did ?? did }, rkey));
  if (object.visibility !== 'public' || object.status !== 'active')
    printNotice(
      'the service does not answer this feed yet: its visibility must be public and its status active',
    );
}

async function storedFeed(
  settings: Settings,
  feed_id: string,
): Promise<{ created_at: number; object: FeedObject }> {
  const given = { ...settings, must_exist: true };
  const feeds = await withStore(given, 'feedloom bluesky record', (store) => store.feeds.all());
  const stored = feeds.find((feed) => feed.feed_id === feed_id);
  if (stored === undefined) throw new StartupError('bad_feed', `there is no feed '${feed_id}'`);
  return { created_at: stored.created_at, object: JSON.parse(stored.content) as FeedObject };
}
