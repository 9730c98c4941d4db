import { describe } from 'bun:test';
import { testWindowSignal } from '../../support/popular-windows.ts';

describe('popular_30day', () => testWindowSignal('popular_30day', 30));
