build/robot.o: src/robot.cpp src/robot.h \
 /usr/include/eigen3/Eigen/Geometry /usr/include/eigen3/Eigen/Core \
 /usr/include/eigen3/Eigen/src/Core/util/DisableStupidWarnings.h \
 /usr/include/eigen3/Eigen/src/Core/util/Macros.h \
 /usr/include/eigen3/Eigen/src/Core/util/ConfigureVectorization.h \
 /usr/include/eigen3/Eigen/src/Core/util/MKL_support.h \
 /usr/include/eigen3/Eigen/src/Core/util/Constants.h \
 /usr/include/eigen3/Eigen/src/Core/util/Meta.h \
 /usr/include/eigen3/Eigen/src/Core/util/ForwardDeclarations.h \
 /usr/include/eigen3/Eigen/src/Core/util/StaticAssert.h \
 /usr/include/eigen3/Eigen/src/Core/util/XprHelper.h \
 /usr/include/eigen3/Eigen/src/Core/util/Memory.h \
 /usr/include/eigen3/Eigen/src/Core/util/IntegralConstant.h \
 /usr/include/eigen3/Eigen/src/Core/util/SymbolicIndex.h \
 /usr/include/eigen3/Eigen/src/Core/NumTraits.h \
 /usr/include/eigen3/Eigen/src/Core/MathFunctions.h \
 /usr/include/eigen3/Eigen/src/Core/GenericPacketMath.h \
 /usr/include/eigen3/Eigen/src/Core/MathFunctionsImpl.h \
 /usr/include/eigen3/Eigen/src/Core/arch/Default/ConjHelper.h \
 /usr/include/eigen3/Eigen/src/Core/arch/Default/Half.h \
 /usr/include/eigen3/Eigen/src/Core/arch/Default/BFloat16.h \
 /usr/include/eigen3/Eigen/src/Core/arch/Default/TypeCasting.h \
 /usr/include/eigen3/Eigen/src/Core/arch/Default/GenericPacketMathFunctionsFwd.h \
 /usr/include/eigen3/Eigen/src/Core/arch/SSE/PacketMath.h \
 /usr/include/eigen3/Eigen/src/Core/arch/SSE/TypeCasting.h \
 /usr/include/eigen3/Eigen/src/Core/arch/SSE/MathFunctions.h \
 /usr/include/eigen3/Eigen/src/Core/arch/SSE/Complex.h \
 /usr/include/eigen3/Eigen/src/Core/arch/Default/Settings.h \
 /usr/include/eigen3/Eigen/src/Core/arch/Default/GenericPacketMathFunctions.h \
 /usr/include/eigen3/Eigen/src/Core/functors/TernaryFunctors.h \
 /usr/include/eigen3/Eigen/src/Core/functors/BinaryFunctors.h \
 /usr/include/eigen3/Eigen/src/Core/functors/UnaryFunctors.h \
 /usr/include/eigen3/Eigen/src/Core/functors/NullaryFunctors.h \
 /usr/include/eigen3/Eigen/src/Core/functors/StlFunctors.h \
 /usr/include/eigen3/Eigen/src/Core/functors/AssignmentFunctors.h \
 /usr/include/eigen3/Eigen/src/Core/util/IndexedViewHelper.h \
 /usr/include/eigen3/Eigen/src/Core/util/ReshapedHelper.h \
 /usr/include/eigen3/Eigen/src/Core/ArithmeticSequence.h \
 /usr/include/eigen3/Eigen/src/Core/IO.h \
 /usr/include/eigen3/Eigen/src/Core/DenseCoeffsBase.h \
 /usr/include/eigen3/Eigen/src/Core/DenseBase.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/CommonCwiseUnaryOps.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/BlockMethods.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/IndexedViewMethods.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/IndexedViewMethods.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/ReshapedMethods.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/ReshapedMethods.h \
 /usr/include/eigen3/Eigen/src/Core/MatrixBase.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/CommonCwiseBinaryOps.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/MatrixCwiseUnaryOps.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/MatrixCwiseBinaryOps.h \
 /usr/include/eigen3/Eigen/src/Core/EigenBase.h \
 /usr/include/eigen3/Eigen/src/Core/Product.h \
 /usr/include/eigen3/Eigen/src/Core/CoreEvaluators.h \
 /usr/include/eigen3/Eigen/src/Core/AssignEvaluator.h \
 /usr/include/eigen3/Eigen/src/Core/Assign.h \
 /usr/include/eigen3/Eigen/src/Core/ArrayBase.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/ArrayCwiseUnaryOps.h \
 /usr/include/eigen3/Eigen/src/Core/../plugins/ArrayCwiseBinaryOps.h \
 /usr/include/eigen3/Eigen/src/Core/util/BlasUtil.h \
 /usr/include/eigen3/Eigen/src/Core/DenseStorage.h \
 /usr/include/eigen3/Eigen/src/Core/NestByValue.h \
 /usr/include/eigen3/Eigen/src/Core/ReturnByValue.h \
 /usr/include/eigen3/Eigen/src/Core/NoAlias.h \
 /usr/include/eigen3/Eigen/src/Core/PlainObjectBase.h \
 /usr/include/eigen3/Eigen/src/Core/Matrix.h \
 /usr/include/eigen3/Eigen/src/Core/Array.h \
 /usr/include/eigen3/Eigen/src/Core/CwiseTernaryOp.h \
 /usr/include/eigen3/Eigen/src/Core/CwiseBinaryOp.h \
 /usr/include/eigen3/Eigen/src/Core/CwiseUnaryOp.h \
 /usr/include/eigen3/Eigen/src/Core/CwiseNullaryOp.h \
 /usr/include/eigen3/Eigen/src/Core/CwiseUnaryView.h \
 /usr/include/eigen3/Eigen/src/Core/SelfCwiseBinaryOp.h \
 /usr/include/eigen3/Eigen/src/Core/Dot.h \
 /usr/include/eigen3/Eigen/src/Core/StableNorm.h \
 /usr/include/eigen3/Eigen/src/Core/Stride.h \
 /usr/include/eigen3/Eigen/src/Core/MapBase.h \
 /usr/include/eigen3/Eigen/src/Core/Map.h \
 /usr/include/eigen3/Eigen/src/Core/Ref.h \
 /usr/include/eigen3/Eigen/src/Core/Block.h \
 /usr/include/eigen3/Eigen/src/Core/VectorBlock.h \
 /usr/include/eigen3/Eigen/src/Core/IndexedView.h \
 /usr/include/eigen3/Eigen/src/Core/Reshaped.h \
 /usr/include/eigen3/Eigen/src/Core/Transpose.h \
 /usr/include/eigen3/Eigen/src/Core/DiagonalMatrix.h \
 /usr/include/eigen3/Eigen/src/Core/Diagonal.h \
 /usr/include/eigen3/Eigen/src/Core/DiagonalProduct.h \
 /usr/include/eigen3/Eigen/src/Core/Redux.h \
 /usr/include/eigen3/Eigen/src/Core/Visitor.h \
 /usr/include/eigen3/Eigen/src/Core/Fuzzy.h \
 /usr/include/eigen3/Eigen/src/Core/Swap.h \
 /usr/include/eigen3/Eigen/src/Core/CommaInitializer.h \
 /usr/include/eigen3/Eigen/src/Core/GeneralProduct.h \
 /usr/include/eigen3/Eigen/src/Core/Solve.h \
 /usr/include/eigen3/Eigen/src/Core/Inverse.h \
 /usr/include/eigen3/Eigen/src/Core/SolverBase.h \
 /usr/include/eigen3/Eigen/src/Core/PermutationMatrix.h \
 /usr/include/eigen3/Eigen/src/Core/Transpositions.h \
 /usr/include/eigen3/Eigen/src/Core/TriangularMatrix.h \
 /usr/include/eigen3/Eigen/src/Core/SelfAdjointView.h \
 /usr/include/eigen3/Eigen/src/Core/products/GeneralBlockPanelKernel.h \
 /usr/include/eigen3/Eigen/src/Core/products/Parallelizer.h \
 /usr/include/eigen3/Eigen/src/Core/ProductEvaluators.h \
 /usr/include/eigen3/Eigen/src/Core/products/GeneralMatrixVector.h \
 /usr/include/eigen3/Eigen/src/Core/products/GeneralMatrixMatrix.h \
 /usr/include/eigen3/Eigen/src/Core/SolveTriangular.h \
 /usr/include/eigen3/Eigen/src/Core/products/GeneralMatrixMatrixTriangular.h \
 /usr/include/eigen3/Eigen/src/Core/products/SelfadjointMatrixVector.h \
 /usr/include/eigen3/Eigen/src/Core/products/SelfadjointMatrixMatrix.h \
 /usr/include/eigen3/Eigen/src/Core/products/SelfadjointProduct.h \
 /usr/include/eigen3/Eigen/src/Core/products/SelfadjointRank2Update.h \
 /usr/include/eigen3/Eigen/src/Core/products/TriangularMatrixVector.h \
 /usr/include/eigen3/Eigen/src/Core/products/TriangularMatrixMatrix.h \
 /usr/include/eigen3/Eigen/src/Core/products/TriangularSolverMatrix.h \
 /usr/include/eigen3/Eigen/src/Core/products/TriangularSolverVector.h \
 /usr/include/eigen3/Eigen/src/Core/BandMatrix.h \
 /usr/include/eigen3/Eigen/src/Core/CoreIterators.h \
 /usr/include/eigen3/Eigen/src/Core/ConditionEstimator.h \
 /usr/include/eigen3/Eigen/src/Core/BooleanRedux.h \
 /usr/include/eigen3/Eigen/src/Core/Select.h \
 /usr/include/eigen3/Eigen/src/Core/VectorwiseOp.h \
 /usr/include/eigen3/Eigen/src/Core/PartialReduxEvaluator.h \
 /usr/include/eigen3/Eigen/src/Core/Random.h \
 /usr/include/eigen3/Eigen/src/Core/Replicate.h \
 /usr/include/eigen3/Eigen/src/Core/Reverse.h \
 /usr/include/eigen3/Eigen/src/Core/ArrayWrapper.h \
 /usr/include/eigen3/Eigen/src/Core/StlIterators.h \
 /usr/include/eigen3/Eigen/src/Core/GlobalFunctions.h \
 /usr/include/eigen3/Eigen/src/Core/util/ReenableStupidWarnings.h \
 /usr/include/eigen3/Eigen/SVD /usr/include/eigen3/Eigen/QR \
 /usr/include/eigen3/Eigen/Cholesky /usr/include/eigen3/Eigen/Jacobi \
 /usr/include/eigen3/Eigen/src/Jacobi/Jacobi.h \
 /usr/include/eigen3/Eigen/src/Cholesky/LLT.h \
 /usr/include/eigen3/Eigen/src/Cholesky/LDLT.h \
 /usr/include/eigen3/Eigen/Householder \
 /usr/include/eigen3/Eigen/src/Householder/Householder.h \
 /usr/include/eigen3/Eigen/src/Householder/HouseholderSequence.h \
 /usr/include/eigen3/Eigen/src/Householder/BlockHouseholder.h \
 /usr/include/eigen3/Eigen/src/QR/HouseholderQR.h \
 /usr/include/eigen3/Eigen/src/QR/FullPivHouseholderQR.h \
 /usr/include/eigen3/Eigen/src/QR/ColPivHouseholderQR.h \
 /usr/include/eigen3/Eigen/src/QR/CompleteOrthogonalDecomposition.h \
 /usr/include/eigen3/Eigen/src/misc/RealSvd2x2.h \
 /usr/include/eigen3/Eigen/src/SVD/UpperBidiagonalization.h \
 /usr/include/eigen3/Eigen/src/SVD/SVDBase.h \
 /usr/include/eigen3/Eigen/src/SVD/JacobiSVD.h \
 /usr/include/eigen3/Eigen/src/SVD/BDCSVD.h /usr/include/eigen3/Eigen/LU \
 /usr/include/eigen3/Eigen/src/misc/Kernel.h \
 /usr/include/eigen3/Eigen/src/misc/Image.h \
 /usr/include/eigen3/Eigen/src/LU/FullPivLU.h \
 /usr/include/eigen3/Eigen/src/LU/PartialPivLU.h \
 /usr/include/eigen3/Eigen/src/LU/Determinant.h \
 /usr/include/eigen3/Eigen/src/LU/InverseImpl.h \
 /usr/include/eigen3/Eigen/src/LU/arch/InverseSize4.h \
 /usr/include/eigen3/Eigen/src/Geometry/OrthoMethods.h \
 /usr/include/eigen3/Eigen/src/Geometry/EulerAngles.h \
 /usr/include/eigen3/Eigen/src/Geometry/Homogeneous.h \
 /usr/include/eigen3/Eigen/src/Geometry/RotationBase.h \
 /usr/include/eigen3/Eigen/src/Geometry/Rotation2D.h \
 /usr/include/eigen3/Eigen/src/Geometry/Quaternion.h \
 /usr/include/eigen3/Eigen/src/Geometry/AngleAxis.h \
 /usr/include/eigen3/Eigen/src/Geometry/Transform.h \
 /usr/include/eigen3/Eigen/src/Geometry/Translation.h \
 /usr/include/eigen3/Eigen/src/Geometry/Scaling.h \
 /usr/include/eigen3/Eigen/src/Geometry/Hyperplane.h \
 /usr/include/eigen3/Eigen/src/Geometry/ParametrizedLine.h \
 /usr/include/eigen3/Eigen/src/Geometry/AlignedBox.h \
 /usr/include/eigen3/Eigen/src/Geometry/Umeyama.h \
 /usr/include/eigen3/Eigen/src/Geometry/arch/Geometry_SIMD.h src/piece.h \
 /usr/include/eigen3/Eigen/Core src/mesh.h src/text.h
src/robot.h:
/usr/include/eigen3/Eigen/Geometry:
/usr/include/eigen3/Eigen/Core:
/usr/include/eigen3/Eigen/src/Core/util/DisableStupidWarnings.h:
/usr/include/eigen3/Eigen/src/Core/util/Macros.h:
/usr/include/eigen3/Eigen/src/Core/util/ConfigureVectorization.h:
/usr/include/eigen3/Eigen/src/Core/util/MKL_support.h:
/usr/include/eigen3/Eigen/src/Core/util/Constants.h:
/usr/include/eigen3/Eigen/src/Core/util/Meta.h:
/usr/include/eigen3/Eigen/src/Core/util/ForwardDeclarations.h:
/usr/include/eigen3/Eigen/src/Core/util/StaticAssert.h:
/usr/include/eigen3/Eigen/src/Core/util/XprHelper.h:
/usr/include/eigen3/Eigen/src/Core/util/Memory.h:
/usr/include/eigen3/Eigen/src/Core/util/IntegralConstant.h:
/usr/include/eigen3/Eigen/src/Core/util/SymbolicIndex.h:
/usr/include/eigen3/Eigen/src/Core/NumTraits.h:
/usr/include/eigen3/Eigen/src/Core/MathFunctions.h:
/usr/include/eigen3/Eigen/src/Core/GenericPacketMath.h:
/usr/include/eigen3/Eigen/src/Core/MathFunctionsImpl.h:
/usr/include/eigen3/Eigen/src/Core/arch/Default/ConjHelper.h:
/usr/include/eigen3/Eigen/src/Core/arch/Default/Half.h:
/usr/include/eigen3/Eigen/src/Core/arch/Default/BFloat16.h:
/usr/include/eigen3/Eigen/src/Core/arch/Default/TypeCasting.h:
/usr/include/eigen3/Eigen/src/Core/arch/Default/GenericPacketMathFunctionsFwd.h:
/usr/include/eigen3/Eigen/src/Core/arch/SSE/PacketMath.h:
/usr/include/eigen3/Eigen/src/Core/arch/SSE/TypeCasting.h:
/usr/include/eigen3/Eigen/src/Core/arch/SSE/MathFunctions.h:
/usr/include/eigen3/Eigen/src/Core/arch/SSE/Complex.h:
/usr/include/eigen3/Eigen/src/Core/arch/Default/Settings.h:
/usr/include/eigen3/Eigen/src/Core/arch/Default/GenericPacketMathFunctions.h:
/usr/include/eigen3/Eigen/src/Core/functors/TernaryFunctors.h:
/usr/include/eigen3/Eigen/src/Core/functors/BinaryFunctors.h:
/usr/include/eigen3/Eigen/src/Core/functors/UnaryFunctors.h:
/usr/include/eigen3/Eigen/src/Core/functors/NullaryFunctors.h:
/usr/include/eigen3/Eigen/src/Core/functors/StlFunctors.h:
/usr/include/eigen3/Eigen/src/Core/functors/AssignmentFunctors.h:
/usr/include/eigen3/Eigen/src/Core/util/IndexedViewHelper.h:
/usr/include/eigen3/Eigen/src/Core/util/ReshapedHelper.h:
/usr/include/eigen3/Eigen/src/Core/ArithmeticSequence.h:
/usr/include/eigen3/Eigen/src/Core/IO.h:
/usr/include/eigen3/Eigen/src/Core/DenseCoeffsBase.h:
/usr/include/eigen3/Eigen/src/Core/DenseBase.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/CommonCwiseUnaryOps.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/BlockMethods.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/IndexedViewMethods.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/IndexedViewMethods.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/ReshapedMethods.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/ReshapedMethods.h:
/usr/include/eigen3/Eigen/src/Core/MatrixBase.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/CommonCwiseBinaryOps.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/MatrixCwiseUnaryOps.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/MatrixCwiseBinaryOps.h:
/usr/include/eigen3/Eigen/src/Core/EigenBase.h:
/usr/include/eigen3/Eigen/src/Core/Product.h:
/usr/include/eigen3/Eigen/src/Core/CoreEvaluators.h:
/usr/include/eigen3/Eigen/src/Core/AssignEvaluator.h:
/usr/include/eigen3/Eigen/src/Core/Assign.h:
/usr/include/eigen3/Eigen/src/Core/ArrayBase.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/ArrayCwiseUnaryOps.h:
/usr/include/eigen3/Eigen/src/Core/../plugins/ArrayCwiseBinaryOps.h:
/usr/include/eigen3/Eigen/src/Core/util/BlasUtil.h:
/usr/include/eigen3/Eigen/src/Core/DenseStorage.h:
/usr/include/eigen3/Eigen/src/Core/NestByValue.h:
/usr/include/eigen3/Eigen/src/Core/ReturnByValue.h:
/usr/include/eigen3/Eigen/src/Core/NoAlias.h:
/usr/include/eigen3/Eigen/src/Core/PlainObjectBase.h:
/usr/include/eigen3/Eigen/src/Core/Matrix.h:
/usr/include/eigen3/Eigen/src/Core/Array.h:
/usr/include/eigen3/Eigen/src/Core/CwiseTernaryOp.h:
/usr/include/eigen3/Eigen/src/Core/CwiseBinaryOp.h:
/usr/include/eigen3/Eigen/src/Core/CwiseUnaryOp.h:
/usr/include/eigen3/Eigen/src/Core/CwiseNullaryOp.h:
/usr/include/eigen3/Eigen/src/Core/CwiseUnaryView.h:
/usr/include/eigen3/Eigen/src/Core/SelfCwiseBinaryOp.h:
/usr/include/eigen3/Eigen/src/Core/Dot.h:
/usr/include/eigen3/Eigen/src/Core/StableNorm.h:
/usr/include/eigen3/Eigen/src/Core/Stride.h:
/usr/include/eigen3/Eigen/src/Core/MapBase.h:
/usr/include/eigen3/Eigen/src/Core/Map.h:
/usr/include/eigen3/Eigen/src/Core/Ref.h:
/usr/include/eigen3/Eigen/src/Core/Block.h:
/usr/include/eigen3/Eigen/src/Core/VectorBlock.h:
/usr/include/eigen3/Eigen/src/Core/IndexedView.h:
/usr/include/eigen3/Eigen/src/Core/Reshaped.h:
/usr/include/eigen3/Eigen/src/Core/Transpose.h:
/usr/include/eigen3/Eigen/src/Core/DiagonalMatrix.h:
/usr/include/eigen3/Eigen/src/Core/Diagonal.h:
/usr/include/eigen3/Eigen/src/Core/DiagonalProduct.h:
/usr/include/eigen3/Eigen/src/Core/Redux.h:
/usr/include/eigen3/Eigen/src/Core/Visitor.h:
/usr/include/eigen3/Eigen/src/Core/Fuzzy.h:
/usr/include/eigen3/Eigen/src/Core/Swap.h:
/usr/include/eigen3/Eigen/src/Core/CommaInitializer.h:
/usr/include/eigen3/Eigen/src/Core/GeneralProduct.h:
/usr/include/eigen3/Eigen/src/Core/Solve.h:
/usr/include/eigen3/Eigen/src/Core/Inverse.h:
/usr/include/eigen3/Eigen/src/Core/SolverBase.h:
/usr/include/eigen3/Eigen/src/Core/PermutationMatrix.h:
/usr/include/eigen3/Eigen/src/Core/Transpositions.h:
/usr/include/eigen3/Eigen/src/Core/TriangularMatrix.h:
/usr/include/eigen3/Eigen/src/Core/SelfAdjointView.h:
/usr/include/eigen3/Eigen/src/Core/products/GeneralBlockPanelKernel.h:
/usr/include/eigen3/Eigen/src/Core/products/Parallelizer.h:
/usr/include/eigen3/Eigen/src/Core/ProductEvaluators.h:
/usr/include/eigen3/Eigen/src/Core/products/GeneralMatrixVector.h:
/usr/include/eigen3/Eigen/src/Core/products/GeneralMatrixMatrix.h:
/usr/include/eigen3/Eigen/src/Core/SolveTriangular.h:
/usr/include/eigen3/Eigen/src/Core/products/GeneralMatrixMatrixTriangular.h:
/usr/include/eigen3/Eigen/src/Core/products/SelfadjointMatrixVector.h:
/usr/include/eigen3/Eigen/src/Core/products/SelfadjointMatrixMatrix.h:
/usr/include/eigen3/Eigen/src/Core/products/SelfadjointProduct.h:
/usr/include/eigen3/Eigen/src/Core/products/SelfadjointRank2Update.h:
/usr/include/eigen3/Eigen/src/Core/products/TriangularMatrixVector.h:
/usr/include/eigen3/Eigen/src/Core/products/TriangularMatrixMatrix.h:
/usr/include/eigen3/Eigen/src/Core/products/TriangularSolverMatrix.h:
/usr/include/eigen3/Eigen/src/Core/products/TriangularSolverVector.h:
/usr/include/eigen3/Eigen/src/Core/BandMatrix.h:
/usr/include/eigen3/Eigen/src/Core/CoreIterators.h:
/usr/include/eigen3/Eigen/src/Core/ConditionEstimator.h:
/usr/include/eigen3/Eigen/src/Core/BooleanRedux.h:
/usr/include/eigen3/Eigen/src/Core/Select.h:
/usr/include/eigen3/Eigen/src/Core/VectorwiseOp.h:
/usr/include/eigen3/Eigen/src/Core/PartialReduxEvaluator.h:
/usr/include/eigen3/Eigen/src/Core/Random.h:
/usr/include/eigen3/Eigen/src/Core/Replicate.h:
/usr/include/eigen3/Eigen/src/Core/Reverse.h:
/usr/include/eigen3/Eigen/src/Core/ArrayWrapper.h:
/usr/include/eigen3/Eigen/src/Core/StlIterators.h:
/usr/include/eigen3/Eigen/src/Core/GlobalFunctions.h:
/usr/include/eigen3/Eigen/src/Core/util/ReenableStupidWarnings.h:
/usr/include/eigen3/Eigen/SVD:
/usr/include/eigen3/Eigen/QR:
/usr/include/eigen3/Eigen/Cholesky:
/usr/include/eigen3/Eigen/Jacobi:
/usr/include/eigen3/Eigen/src/Jacobi/Jacobi.h:
/usr/include/eigen3/Eigen/src/Cholesky/LLT.h:
/usr/include/eigen3/Eigen/src/Cholesky/LDLT.h:
/usr/include/eigen3/Eigen/Householder:
/usr/include/eigen3/Eigen/src/Householder/Householder.h:
/usr/include/eigen3/Eigen/src/Householder/HouseholderSequence.h:
/usr/include/eigen3/Eigen/src/Householder/BlockHouseholder.h:
/usr/include/eigen3/Eigen/src/QR/HouseholderQR.h:
/usr/include/eigen3/Eigen/src/QR/FullPivHouseholderQR.h:
/usr/include/eigen3/Eigen/src/QR/ColPivHouseholderQR.h:
/usr/include/eigen3/Eigen/src/QR/CompleteOrthogonalDecomposition.h:
/usr/include/eigen3/Eigen/src/misc/RealSvd2x2.h:
/usr/include/eigen3/Eigen/src/SVD/UpperBidiagonalization.h:
/usr/include/eigen3/Eigen/src/SVD/SVDBase.h:
/usr/include/eigen3/Eigen/src/SVD/JacobiSVD.h:
/usr/include/eigen3/Eigen/src/SVD/BDCSVD.h:
/usr/include/eigen3/Eigen/LU:
/usr/include/eigen3/Eigen/src/misc/Kernel.h:
/usr/include/eigen3/Eigen/src/misc/Image.h:
/usr/include/eigen3/Eigen/src/LU/FullPivLU.h:
/usr/include/eigen3/Eigen/src/LU/PartialPivLU.h:
/usr/include/eigen3/Eigen/src/LU/Determinant.h:
/usr/include/eigen3/Eigen/src/LU/InverseImpl.h:
/usr/include/eigen3/Eigen/src/LU/arch/InverseSize4.h:
/usr/include/eigen3/Eigen/src/Geometry/OrthoMethods.h:
/usr/include/eigen3/Eigen/src/Geometry/EulerAngles.h:
/usr/include/eigen3/Eigen/src/Geometry/Homogeneous.h:
/usr/include/eigen3/Eigen/src/Geometry/RotationBase.h:
/usr/include/eigen3/Eigen/src/Geometry/Rotation2D.h:
/usr/include/eigen3/Eigen/src/Geometry/Quaternion.h:
/usr/include/eigen3/Eigen/src/Geometry/AngleAxis.h:
/usr/include/eigen3/Eigen/src/Geometry/Transform.h:
/usr/include/eigen3/Eigen/src/Geometry/Translation.h:
/usr/include/eigen3/Eigen/src/Geometry/Scaling.h:
/usr/include/eigen3/Eigen/src/Geometry/Hyperplane.h:
/usr/include/eigen3/Eigen/src/Geometry/ParametrizedLine.h:
/usr/include/eigen3/Eigen/src/Geometry/AlignedBox.h:
/usr/include/eigen3/Eigen/src/Geometry/Umeyama.h:
/usr/include/eigen3/Eigen/src/Geometry/arch/Geometry_SIMD.h:
src/piece.h:
/usr/include/eigen3/Eigen/Core:
src/mesh.h:
src/text.h:
