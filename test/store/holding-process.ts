import { openStore } from '../../src/store/open-store.ts';
import { follow } from './changes.ts';

/** A process that serves the data named by its argument, writes, reports it, then hangs. */
const store = await openStore(JSON.parse(process.argv[2]));
await store.startWriter({ onCommitted() {}, onFailed() {}, last_applied_at: 0 });
await store.submit([follow(1, 2), follow(2, 3), follow(3, 4)]);
console.log('acknowledged');
await new Promise(() => {});
