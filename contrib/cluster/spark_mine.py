"""Counting traces on Spark: spark-submit spark_mine.py server.trace --counts counts/ --parts 200 -- --api socket

The folder of results, the traces or sources and `idiolect` have to be where all workers see them.
"""

import parts
from pyspark import SparkContext, cloudpickle


def main():
    context = SparkContext(appName="idiolect mine")
    context.setLogLevel("ERROR")
    cloudpickle.register_pickle_by_value(parts)
    try:
        parts.main(__doc__, lambda do, items: context.parallelize(items, len(items)).map(do).collect())
    finally:
        context.stop()


if __name__ == "__main__":
    main()
