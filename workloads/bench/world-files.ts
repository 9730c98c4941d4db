import { FileWriter } from '../../src/interchange/file-writer.ts';
import { NAMES } from '../../src/interchange/files.ts';
import type { Community } from '../community/community.ts';

/** Progress is reported after this number of lines of a file. */
const REPORTED_EVERY = 10_000;

/** The lines of each file without line ends. Identifiers of a community need no quoting. */
function* linesOf(community: Community): Generator<[string, Iterable<string>]> {
  yield [NAMES.users, jsonLines(community.users())];
  yield [NAMES.items, jsonLines(community.items())];
  yield [NAMES.follows, followLines(community)];
  yield [NAMES.interactions, interactionLines(community)];
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
 * Writes a community as interchange files, line by line, so that memory is limited to that of the community.
 * @param onWritten called at intervals with the number of lines since the last call
 * @throws file system errors
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
      if (file.lines % REPORTED_EVERY === 0) onWritten(REPORTED_EVERY);
    }
    onWritten(file.lines % REPORTED_EVERY);
    await file.close();
  }
}
