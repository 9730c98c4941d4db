/**
 * The script that `feedloom plugins test` loads before an author's tests: the contract, the testing kit with the names
 * of built-in signals, and TypeBox with the text formats of the service.
 */
import * as typebox from '@sinclair/typebox';
import { BUILT_IN } from '../../../plugins/index.ts';
import * as contract from '../../plugin/index.ts';
import { provideModules } from '../../plugin/provide.ts';
import * as testing from '../../plugin/testing/index.ts';
import { signalsBeside } from '../../plugin/testing/known-signals.ts';
import { testFunctions } from '../../plugin/testing/test-functions.ts';
import '../../registry/text-formats.ts';

const tests = testFunctions(signalsBeside(BUILT_IN.signals));
provideModules({
  'feedloom/plugin': contract,
  'feedloom/plugin/testing': { ...testing, ...tests },
  '@sinclair/typebox': typebox,
});
