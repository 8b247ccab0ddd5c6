"""A batch on Ray: python3 ray_batch.py jobs.jsonl results/ --shards 16

Joins the cluster that `ray start` made, or makes one of this machine. The folder of results has to
be one that all nodes see.
"""

import ray
import shards


def main():
    args = shards.arguments(__doc__)
    ray.init(ignore_reinit_error=True)
    remote = ray.remote(max_retries=3)(shards.run)
    waiting = [
        remote.remote(args.manifest, args.results, i, args.shards, args.options)
        for i in range(1, args.shards + 1)
    ]
    shards.finish(args, ray.get(waiting))


if __name__ == "__main__":
    main()
