"""A batch on Spark: spark-submit spark_batch.py jobs.jsonl results/ --shards 16

The folder of results, the traces or sources and `idiolect` have to be where all workers see them.
"""

import shards
from pyspark import SparkContext, cloudpickle


def main():
    context = SparkContext(appName="idiolect batch")
    context.setLogLevel("ERROR")
    cloudpickle.register_pickle_by_value(shards)
    try:
        shards.main(__doc__, lambda do, items: context.parallelize(items, len(items)).map(do).collect())
    finally:
        context.stop()


if __name__ == "__main__":
    main()
