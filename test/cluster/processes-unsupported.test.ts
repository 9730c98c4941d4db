import { expect, test } from 'bun:test';
import { serveByProcesses } from '../../src/cli/serve-by-processes.ts';
import { readSettings } from '../../src/settings.ts';
import { refusal } from '../store/engines.ts';

test('several processes are refused on a system where they cannot share a port', async () => {
  const { platform } = process;
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  try {
    const settings = { ...readSettings({}), processes: 2 };
    const error = await refusal(serveByProcesses(settings, { argv: [], env: {} }));
    expect(error).toMatchObject({
      code: 'processes_unsupported',
      message: '--processes 2 needs Linux, where several processes can share a port; this is darwin',
      remedy: expect.stringContaining('--processes 1'),
    });
  } finally {
    Object.defineProperty(process, 'platform', { value: platform });
  }
});
