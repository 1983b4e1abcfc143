import { damageWords, isDamage } from './damage.ts';
import { type Recording, momentsOf } from './recordings.ts';

export interface RecordingCounts {
  readonly polls: number;
  readonly completePolls: number;
  readonly events: number;
  /** Of listings, each once. */
  readonly texts: number;
  readonly inputs: number;
  /** Column segments, and the events in them. */
  readonly segments: number;
  readonly compacted: number;
  /** Why only what comes before the damage was counted; undefined where nothing was found damaged. */
  readonly damage: string | undefined;
}

/** How much a recording holds; of a damaged one, how much of it can be read. */
export function countsOf(recording: Recording): RecordingCounts {
  try {
    return { ...recording.counts(), damage: undefined };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return readable(recording, damageWords(error));
  }
}

function readable(recording: Recording, damage: string): RecordingCounts {
  const counts = { polls: 0, completePolls: 0, events: 0, texts: 0, inputs: 0, segments: 0, compacted: 0 };
  for (const moment of momentsOf([recording])) {
    if (moment.kind === 'input') counts.inputs++;
    if (moment.kind === 'ground') counts.events += moment.standing.length;
    if (moment.kind !== 'poll') continue;
    counts.polls++;
    if (moment.poll.complete) counts.completePolls++;
    counts.events += moment.poll.events.length;
    counts.texts += moment.poll.events.filter(({ kind }) => kind !== 'gone').length;
  }
  return { ...counts, damage };
}
