export type Phase = 'reading' | 'applying' | 'asking' | 'fitting' | 'choosing' | 'reporting';

export type OnProgress = (phase: Phase, done: number, total: number) => void;
