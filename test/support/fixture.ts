import { test } from 'bun:test';

/**
 * A kind of test that opens a fixture of its own and closes it at the end. Files name it `it`, for the sake of short
 * lines.
 */
export function testsWith<T extends AsyncDisposable>(open: () => Promise<T>) {
  return (name: string, work: (opened: T) => Promise<void>, timeout_ms?: number): void =>
    test(
      name,
      async () => {
        await using opened = await open();
        await work(opened);
      },
      timeout_ms,
    );
}
