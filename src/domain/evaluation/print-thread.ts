import { parentPort, workerData } from 'node:worker_threads';
import { printed } from './printed.ts';

// What `printBody` hands over is JSON of what `printed` takes.
parentPort?.postMessage(printed(JSON.parse(workerData)));
