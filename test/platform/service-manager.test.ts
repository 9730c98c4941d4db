import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Watchdog } from '../../src/cli/watchdog.ts';
import { notifierOf } from '../../src/platform/service-manager.ts';
import { folderWith } from '../interchange/support.ts';
import { environment, REPOSITORY } from '../support/feedloom.ts';
import { settled } from '../support/manual-timers.ts';
import { NotifySocket } from '../support/notify-socket.ts';

test.skipIf(process.platform !== 'linux')(
  'a service manager that reads nothing does not stop the service',
  async () => {
    const folder = folderWith({});
    using socket = new NotifySocket(join(folder, 'notify'));
    const program = `
      import { notifierOf } from '${REPOSITORY}/src/platform/service-manager.ts';
      const notify = notifierOf({ address: '${socket.path}', watchdog_ms: undefined });
      for (let sent = 0; sent < 10_000; sent++) notify('WATCHDOG=1');`;
    // A process of its own, because a thread that waits in the C library can only be killed.
    const child = Bun.spawn([process.execPath, '-e', program], { env: environment(), timeout: 20_000 });
    expect(await child.exited).toBe(0);
    expect(socket.received()).toContain('WATCHDOG=1');
  },
);

test.skipIf(process.platform !== 'linux')('it learns later that the service is ready', async () => {
  using socket = new NotifySocket(join(folderWith({}), 'notify'));
  const manager = { address: socket.path, watchdog_ms: undefined };
  const notify = notifierOf(manager);
  while (notify('WATCHDOG=1'));
  const watchdog = new Watchdog({ seconds: 0, manager, onFailure: fail });
  watchdog.ready();
  while (!socket.received().includes('READY=1')) await settled();
  watchdog.close();
});

function fail(reason: string): never {
  throw new Error(reason);
}
