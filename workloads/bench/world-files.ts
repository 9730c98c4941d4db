import { FileWriter } from '../../src/ingest/interchange/file-writer.ts';
import { FILE_NAMES } from '../../src/ingest/interchange/files.ts';
import type { Community } from '../community/community.ts';

/** Lines of a file after which it is told how many were written. */
const TOLD_EVERY = 10_000;

/** The lines of each file, without their ends; the identifiers of a community hold nothing to be quoted. */
function* linesOf(community: Community): Generator<[string, Iterable<string>]> {
  yield [FILE_NAMES.users, jsonLines(community.users())];
  yield [FILE_NAMES.items, jsonLines(community.items())];
  yield [FILE_NAMES.follows, followLines(community)];
  yield [FILE_NAMES.interactions, interactionLines(community)];
}

function* jsonLines(records: Iterable<object>): Generator<string> {
  for (const record of records) yield JSON.stringify(record);
}

function* followLines(community: Community): Generator<string> {
  yield 'user_id,target_user_id,timestamp';
  for (const { user_id, target_user_id, timestamp } of community.follows()) {
    yield `${user_id},${target_user_id},${timestamp}`;
  }
}

function* interactionLines(community: Community): Generator<string> {
  yield 'user_id,item_id,event_type,timestamp,event_id';
  for (const { user_id, item_id, event_type, timestamp, event_id = '' } of community.interactions()) {
    yield `${user_id},${item_id},${event_type},${timestamp},${event_id}`;
  }
}

/**
 * Writes a community as interchange files, one line after another, so that no more is held than the community
 * itself holds.
 * @param onWritten told now and then how many lines were written since the last time
 * @throws Error of the file system
 */
export async function writeWorldFiles(
  folder: string,
  community: Community,
  onWritten: (lines: number) => void,
): Promise<void> {
  for (const [name, lines] of linesOf(community)) {
    const file = new FileWriter(folder, name, false);
    for (const line of lines) {
      await file.line(`${line}\n`);
      if (file.lines % TOLD_EVERY === 0) onWritten(TOLD_EVERY);
    }
    onWritten(file.lines % TOLD_EVERY);
    await file.close();
  }
}
