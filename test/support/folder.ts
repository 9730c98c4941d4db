import { afterAll, onTestFinished } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A new temporary folder, which is removed at the end of the test or, at the top of a file, after its last test. Not for
 * `beforeAll` and `beforeEach`, which would remove it at their own end. Hooks run in their order, so an `afterAll` that
 * ends the processes in a folder stands before it.
 */
export function temporaryFolder(name = 'test'): string {
  const folder = mkdtempSync(join(tmpdir(), `feedloom-${name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    onTestFinished(remove);
  } catch {
    afterAll(remove);
  }
  return folder;
}
