import { openStore } from '../../src/store/open-store.ts';

/** Creates the tables of an empty data folder: `bun empty-data.ts FOLDER`. */
const store = await openStore({
  data: process.argv[2],
  write_queue: 1,
  role: 'serve',
  command: 'test',
});
await store.close();
