"""A batch on Ray: python3 ray_batch.py jobs.jsonl results/ --shards 16

Joins the cluster that `ray start` made, or makes one of this machine. The folder of results, the traces or
sources and `idiolect` have to be where all nodes see them.
"""

import shards
import ray


def each(do, items):
    remote = ray.remote(max_retries=3)(do)
    return ray.get([remote.remote(item) for item in items])


def main():
    ray.init(logging_level="error")
    ray.cloudpickle.register_pickle_by_value(shards)
    shards.main(__doc__, each)


if __name__ == "__main__":
    main()
