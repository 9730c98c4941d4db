import { openStore } from '../../src/store/open-store.ts';

/** Creates the tables of an empty data folder or PostgreSQL database: `bun empty-data.ts FOLDER [URL]`. */
const [, , data, database_url] = process.argv;
const store = await openStore({ data, database_url, write_queue: 1, role: 'serve', command: 'test' });
await store.close();
