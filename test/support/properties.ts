import fc from 'fast-check';

/**
 * Runs before every test file (`bunfig.toml`). A property ends before its test would: a slow machine tries fewer
 * inputs, and one that fails tells its counterexample, as small as it was made until then, and not just that the time was up.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 30_000 });
