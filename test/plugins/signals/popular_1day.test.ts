import { describe } from 'bun:test';
import { testWindowSignal } from '../../support/popular-windows.ts';

describe('popular_1day', () => testWindowSignal('popular_1day', 1));
