import pino from 'pino';
import { type CheckpointFigures, Checkpoints } from '../../src/checkpoint/checkpoints.ts';
import { openRegistry } from '../../src/service.ts';
import { readSettings } from '../../src/settings.ts';
import { openStore } from '../../src/store/open-store.ts';

export type { CheckpointFigures };

/** `bench-part checkpoint`: writes the first checkpoint of a data folder that is not being served. */
export async function firstCheckpoint(data: string): Promise<CheckpointFigures> {
  const { registry } = await openRegistry(readSettings({}));
  const store = await openStore({ data, role: 'serve', write_queue: 1, command: 'feedloom bench' });
  try {
    const checkpoints = new Checkpoints({
      place: { data },
      checkpoint_store: store.checkpoints!,
      reads: [...registry.reads()],
      log: pino({ enabled: false }),
      changes: 0,
      every_seconds: 0,
    });
    await checkpoints.writeNow();
    return checkpoints.figures;
  } finally {
    await store.close();
  }
}
