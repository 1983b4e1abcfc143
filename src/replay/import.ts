import { type Broken, readJsonl } from './jsonl-read.ts';
import { type Sink, type Taken, copySink, copying } from './merge.ts';
import type { FileBroken } from './parquet/faults.ts';
import { RecordingCopy } from './recording-copy.ts';

export interface Imported<B = Broken | FileBroken> extends Taken {
  /** Where what was exported could not be read any further; undefined where all was. */
  readonly broken: B | undefined;
}

/** Makes a recording of exported lines. Throws NotLines, RecordingExists, or the error of the system or of SQLite. */
export function importJsonl(file: string, path: string): Imported<Broken> {
  return copying(path, (copy) => {
    const counted = counting(copySink(copy));
    const broken = readJsonl(file, counted.sink);
    return { ...counted.taken, damage: [], broken };
  });
}

/** Makes a recording of a folder of Parquet files. Throws NoExport, RecordingExists, or the error of the system or of SQLite. */
export async function importParquet(folder: string, path: string): Promise<Imported<FileBroken>> {
  // Loaded by whoever needs it: every other command starts without it.
  const { readParquet } = await import('./parquet/tell.ts');
  const copy = new RecordingCopy(path);
  try {
    const counted = counting(copySink(copy));
    const broken = await readParquet(folder, counted.sink);
    copy.finish();
    return { ...counted.taken, damage: [], broken };
  } catch (error) {
    copy.abandon();
    throw error;
  }
}

function counting(sink: Sink): { readonly sink: Sink; readonly taken: Omit<Taken, 'damage'> } {
  const taken = { sessions: 0, polls: 0, events: 0, inputs: 0 };
  return {
    taken,
    sink: {
      session: (session) => {
        taken.sessions++;
        sink.session(session);
      },
      unit: (unit) => {
        taken.polls += unit.poll ? 1 : 0;
        taken.events += unit.poll?.events.length ?? 0;
        taken.inputs += unit.inputs.length;
        sink.unit(unit);
      },
    },
  };
}
