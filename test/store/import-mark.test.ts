import { describe, expect, test } from 'bun:test';
import { ENGINES, serve, withPlace } from './engines.ts';

const IMPORTS = { imports: true };

for (const engine of ENGINES) {
  describe(`the mark of an import on ${engine.name}`, () => {
    test('survives its process and is removed when the import ends', () =>
      withPlace(engine, async (place) => {
        const first = await serve(place, IMPORTS);
        expect(await first.store.import_mark.read()).toBeUndefined();
        await first.store.import_mark.write(1000.125);
        await first.store.import_mark.write(1_700_000_000.003);
        await first.store.close();
        const next = await serve(place, IMPORTS);
        expect(await next.store.import_mark.read()).toBe(1_700_000_000.003);
        await next.store.import_mark.write(undefined);
        expect(await next.store.import_mark.read()).toBeUndefined();
        await next.store.close();
      }));

    test('is removed when another command opens the data for writing', () =>
      withPlace(engine, async (place) => {
        const first = await serve(place, IMPORTS);
        await first.store.import_mark.write(0);
        expect(await first.store.import_mark.read()).toBe(0);
        await first.store.close();
        await (await serve(place)).store.close();
        const last = await serve(place, IMPORTS);
        expect(await last.store.import_mark.read()).toBeUndefined();
        await last.store.close();
      }));
  });
}
