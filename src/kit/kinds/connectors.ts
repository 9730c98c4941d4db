import type { ConnectorHost } from '../../plugin/index.ts';
import { isExpectedError } from '../expectations.ts';
import type { KindTests } from '../kind-tests.ts';
import { compiledWith, optionsToTry } from '../options.ts';
import { checkConnector } from './connector-runs.ts';

/** A connector without a source is not run: only `start` is called, which must not connect. */
export const connectors: KindTests<'connectors'> = {
  invariants(subject, id) {
    const registered = subject.extension('connectors', id);
    return [
      {
        name: 'makes a function of its options, and does not change them',
        run() {
          for (const options of optionsToTry(registered)) compiledWith(registered, options);
        },
      },
    ];
  },
  run(subject, id, given) {
    const registered = subject.extension('connectors', id);
    const start = (options: unknown) =>
      compiledWith<(host: ConnectorHost) => Promise<void>>(registered, options);
    const records = isExpectedError(given.expect) ? [] : given.expect;
    return checkConnector(start, { ...given, expect: records });
  },
};
