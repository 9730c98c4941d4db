import { describe } from 'bun:test';
import { testWindowSignal } from '../../support/popular-windows.ts';

describe('popular_7day', () => testWindowSignal('popular_7day', 7));
